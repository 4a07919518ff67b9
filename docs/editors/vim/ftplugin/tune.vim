" Policies and knowledge of Setpoint: comments, words with hyphens, `:make` for the findings of the file.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:# commentstring=#\ %s
setlocal iskeyword=@,48-57,_,-,.,+
setlocal formatoptions-=t
compiler setpoint

let b:undo_ftplugin = 'setlocal comments< commentstring< iskeyword< formatoptions< makeprg< errorformat<'
