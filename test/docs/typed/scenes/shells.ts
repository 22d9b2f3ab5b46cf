/** Lines for the files that shells read at their start. Where a shell is another one, its own words stand for nothing here. */
import type { Scene } from '../scene.ts'

const powershell = 'Out-String() { cat; }; Invoke-Expression() { grep -q Register-ArgumentCompleter; }\n'

export const shellsScene: Scene = {
  name: 'completion',
  of: (id) => id === 'completion',
  set: async (stage) => {
    stage.functions = `export HOME="$PWD"; mkdir -p ~/.config/fish/completions; compdef() { :; }; ${powershell}`
    return {}
  },
}
