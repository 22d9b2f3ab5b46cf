/** The built listener killed while thousands of callbacks come in over real sockets. */
import { killedForwarder, killedListener } from './callback-listen.ts'

killedListener(2000, 5)
killedForwarder(300, 3)
