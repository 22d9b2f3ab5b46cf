/** The text that each shell runs at its start, to ask paydesk how a word goes on. */

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

const bash = String.raw`# paydesk for bash. In ~/.bashrc: eval "$(paydesk completion bash)"
_paydesk() {
  local IFS=$'\n' found
  COMPREPLY=()
  found=$("$1" __complete bash -- "${'$'}{COMP_LINE:0:COMP_POINT}" 2>/dev/null) || return 0
  if [ "$found" = ':file' ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$2"))
  else
    COMPREPLY=($found)
  fi
}
complete -F _paydesk paydesk`

const zsh = String.raw`#compdef paydesk
# paydesk for zsh. In ~/.zshrc, behind compinit: eval "$(paydesk completion zsh)"
_paydesk() {
  local found line
  local -a candidates
  found=$("${'$'}{words[1]}" __complete zsh -- "${'$'}{(@Q)words[2,CURRENT]}" 2>/dev/null) || return 1
  if [[ $found == ':file' ]]; then
    _files
    return
  fi
  for line in "${'$'}{(@f)found}"; do
    [[ -n $line ]] && candidates+=("${'$'}{${'$'}{line%%$'\t'*}//:/\\:}:${'$'}{line#*$'\t'}")
  done
  (( $#candidates )) && _describe 'paydesk' candidates
}
compdef _paydesk paydesk`

const fish = String.raw`# paydesk for fish: paydesk completion fish > ~/.config/fish/completions/paydesk.fish
function __paydesk_complete
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  set -l found ($words[1] __complete fish -- $words[2..-1] "$typed" 2>/dev/null)
  if test "$found" = ':file'
    __fish_complete_path "$typed"
  else if test (count $found) -gt 0
    printf '%s\n' $found
  end
end
complete -c paydesk -f -a '(__paydesk_complete)'`

const powershell = `# paydesk for PowerShell. In $PROFILE: paydesk completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName paydesk -ScriptBlock {
  param($word, $ast, $cursor)
  $line = $ast.ToString().PadRight($cursor - $ast.Extent.StartOffset).Substring(0, $cursor - $ast.Extent.StartOffset)
  $found = @(& paydesk __complete powershell -- $line 2>$null)
  if ($found.Count -eq 1 -and $found[0] -eq ':file') {
    return [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
  }
  foreach ($each in $found) {
    $name, $said = $each -split "\`t", 2
    if (-not $said) { $said = $name }
    [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $said)
  }
}`

/** The text that a shell runs at its start. */
export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell }
