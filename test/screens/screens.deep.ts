/** All stories at all terminals. */
import { stories } from '../kit/screen/stories.ts'
import { looks, testScreens } from './screens.ts'

testScreens(stories.flatMap((story) => looks.map((look) => [story, look] as const)))
