" `:make` checks the file, and the quickfix list has the places of the findings.
if exists('current_compiler')
  finish
endif
let current_compiler = 'setpoint'

CompilerSet makeprg=setpoint\ check\ --color\ never\ %:S
CompilerSet errorformat=%Eerror[%.%#]:\ %m,%Wwarning[%.%#]:\ %m,%C\ %#-->\ %f:%l:%c,%-G%.%#
