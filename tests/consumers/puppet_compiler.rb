# frozen_string_literal: true

# Puppet's own compiler, started once: a question a line on standard input, an answer a line on standard output, both JSON.
#
#   {"modulepath": FOLDER, "code": MANIFEST, "facts": {...}}
#   {"catalog": {...}, "warnings": [...]}   or   {"error": MESSAGE}
#
# What Puppet only warns of in a language feature or an unknown variable is an error here. The argument is a folder for Puppet to keep things in.

require 'json'
require 'puppet'
require 'puppet_pal'

# What Puppet logs while it compiles: `warning()` is how a manifest speaks to who reads the server's log.
Listener = Struct.new(:heard)
Puppet::Util::Log.newdesttype(:listener) do
  match 'Listener'

  def initialize(listener)
    @heard = listener.heard
  end

  def handle(message)
    @heard << message.message if %i[warning err].include?(message.level)
  end
end

folder = ARGV.fetch(0)
Puppet.initialize_settings(['--confdir', folder, '--vardir', folder, '--strict', 'error', '--strict_variables'])

def compiled(question)
  Puppet::Pal.in_tmp_environment('test', modulepath: [question['modulepath']], facts: question['facts']) do |pal|
    pal.with_catalog_compiler(code_string: question['code']) do |compiler|
      compiler.with_json_encoding(pretty: false) { |encoder| JSON.parse(encoder.encode) }
    end
  end
end

$stdin.each_line do |line|
  listener = Listener.new([])
  Puppet::Util::Log.newdestination(listener)
  answer =
    begin
      { 'catalog' => compiled(JSON.parse(line)), 'warnings' => listener.heard }
    rescue Puppet::Error => e
      { 'error' => e.message }
    end
  Puppet::Util::Log.close(listener)
  $stdout.puts(JSON.generate(answer))
  $stdout.flush
end
