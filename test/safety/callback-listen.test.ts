/** The built listener killed while callbacks come in over real sockets. Thousands of them: callback-listen.deep.ts. */
import { killedForwarder, killedListener } from './callback-listen.ts'

killedListener(140, 2)
killedForwarder(40, 1)
