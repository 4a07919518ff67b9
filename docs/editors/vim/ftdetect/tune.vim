autocmd BufNewFile,BufRead *.tune setfiletype tune
