/** Each of the stories at one real terminal, as people see it; all of them at all terminals are `npm run test:deep screens`. */

import { looks, testScreens } from './screens.ts'
import { stories } from './stories.ts'

const [narrow, usual, wide] = looks.filter(({ hasColours }, at) => hasColours === at > 1)

testScreens(
  stories.flatMap((story, at) => {
    const look = [usual, narrow, wide][at % 3]
    return look ? [[story, look] as const] : []
  }),
)
