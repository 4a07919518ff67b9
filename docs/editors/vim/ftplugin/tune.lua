-- For Neovim, where Setpoint is installed with its extra `lsp`: findings, completion and explanations while one types.
if vim.fn.executable('setpoint') == 0 then
  return
end

local server = { name = 'setpoint', cmd = { 'setpoint', 'lsp' }, root_dir = vim.fn.getcwd() }

if vim.lsp.start then
  vim.lsp.start(server)
else -- before Neovim 0.8
  setpoint_client = setpoint_client or vim.lsp.start_client(server)
  vim.lsp.buf_attach_client(0, setpoint_client)
end

vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
