" Policies and knowledge of Setpoint.
if exists('b:current_syntax')
  finish
endif

syntax iskeyword @,48-57,_,-,.,+

syntax match tuneName /[A-Za-z0-9_.+-]\@1<![A-Za-z_][A-Za-z0-9_.+-]*/
syntax match tuneNumber /[A-Za-z0-9_.+-]\@1<!-\?[0-9][A-Za-z0-9_.+-]*/
syntax match tuneDate /[A-Za-z0-9_.+-]\@1<![0-9]\{4}-[0-9][0-9]-[0-9][0-9][A-Za-z0-9_.+-]\@!/
syntax match tuneEscape /\\["\\]/ contained
syntax match tuneString /"\%(\\.\|[^"\\]\)*"\?/ contains=tuneEscape
syntax match tuneComment /#.*$/ contains=@Spell
syntax match tunePunctuation /[{};,]/

syntax keyword tuneKeyword
  \ about above absent accept aliases allows and applies as asks assume at author because below
  \ benchmark beyond bit bits by case columns constraint contents date default derive effect exception
  \ expect extends fact family fits follows footnote for forbid from hazard help hidden hold if ignore
  \ implies in include initially kept known label layer line locked manage means measurement
  \ measurements menu metric not note nowhere observe of once options or otherwise overwritten pattern
  \ per pin policy preset publisher range related remark reported require required role row rule scope
  \ service set setting severity shown source spelling step strength supersedes table times title to
  \ under until uri url use value values vary when while within words yields

highlight default link tuneKeyword Statement
highlight default link tuneNumber Number
highlight default link tuneDate Constant
highlight default link tuneString String
highlight default link tuneEscape SpecialChar
highlight default link tuneComment Comment
highlight default link tunePunctuation Delimiter

let b:current_syntax = 'tune'
