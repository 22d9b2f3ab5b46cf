/** All stories at all terminals. */

import { looks, testScreens } from './screens.ts'
import { stories } from './stories.ts'

testScreens(stories.flatMap((story) => looks.map((look) => [story, look] as const)))
