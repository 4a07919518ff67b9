# frozen_string_literal: true

# Puppet that need not be loaded: each run is a fork of this process, which has loaded it, in a system made of files. A question a
# line on standard input, an answer a line on standard output, both JSON. Called by consumers.puppet_machine.
#
#   {"root": FOLDER, "environment": {...}, "arguments": ["apply", ...]}
#   {"status": NUMBER, "said": TEXT}
#
# To load Ruby and Puppet is most of the time of `puppet apply`. Only what is the same on every system is loaded before a fork: no
# setting is read and no fact found, so neither the providers of services and users, which ask for facts when they are loaded, nor
# what Facter knows of the system that it has looked at. From there on a run is what /usr/bin/puppet does, in namespaces of its
# own, with its own root, environment and streams.

require 'fiddle'
require 'json'
require 'puppet'
require 'puppet/application/apply'
require 'puppet/configurer'
require 'puppet/indirector/catalog/compiler'
require 'puppet/indirector/catalog/rest'
require 'puppet/pops'
require 'puppet/util/command_line'
require 'tempfile'

SANDBOX = File.join(__dir__, 'puppet_sandbox')
MOUNTS, HOSTNAME, IPC, USER, PROCESSES, NETWORK = [17, 26, 27, 28, 29, 30].map { |bit| 1 << bit } # from linux/sched.h
UNSHARE = Fiddle::Function.new(Fiddle.dlopen(nil)['unshare'], [Fiddle::TYPE_INT], Fiddle::TYPE_INT)

%w[stage schedule filebucket file exec whit component].each { |name| require "puppet/type/#{name}" }
abort("Facter has looked at the system of the server") if defined?(Facter)

# What Ruby has compiled of files that are loaded in each run, by their paths.
COMPILED = {}
MISSED = Tempfile.new

class << RubyVM::InstructionSequence
  # Ruby asks for this when it loads a file; where it is nil, it compiles the file itself.
  def load_iseq(path)
    COMPILED[path] || MISSED.syswrite("#{path}\n") && nil
  end
end

def compile_missed
  MISSED.rewind
  MISSED.each_line(chomp: true) { |path| COMPILED[path] ||= RubyVM::InstructionSequence.compile_file(path) if path.start_with?('/usr/') }
  MISSED.truncate(0)
  MISSED.rewind
end

# What `unshare --map-root-user --mount --net --ipc --uts --pid` does. The next process that is forked is the first of its namespace.
def isolate
  user, group = Process.euid, Process.egid
  flags = MOUNTS | HOSTNAME | IPC | PROCESSES | NETWORK | (user.zero? ? 0 : USER)
  abort("unshare: #{SystemCallError.new(nil, Fiddle.last_error).message}") unless UNSHARE.call(flags).zero?
  return if user.zero?

  File.write('/proc/self/setgroups', 'deny')
  File.write('/proc/self/uid_map', "0 #{user} 1")
  File.write('/proc/self/gid_map', "0 #{group} 1")
end

# Run Puppet as the first process of its namespaces.
def run(question)
  exit($?.exitstatus) unless system(SANDBOX, question['root'])
  Dir.chroot(question['root'])
  Dir.chdir('/')
  ENV.replace(question['environment'])
  $PROGRAM_NAME = '/usr/bin/puppet'
  Puppet::Util::CommandLine.new('puppet', question['arguments']).execute
end

def answer(question)
  streams = [Tempfile.new, Tempfile.new]
  isolated = fork do
    $stdin.reopen(File::NULL)
    [$stdout, $stderr].zip(streams) { |stream, file| stream.reopen(file) }
    GC.disable
    isolate
    first = fork { run(question) }
    Process.wait(first)
    exit!($?.exitstatus || (128 + $?.termsig))
  end
  Process.wait(isolated)
  compile_missed
  status = $?.exitstatus || (128 + $?.termsig)
  said = streams.map { |file| File.read(file.path, encoding: 'UTF-8') }.join.scrub
  streams.each(&:close!)
  { 'status' => status, 'said' => said }
end

$stdin.each_line do |line|
  $stdout.puts(JSON.generate(answer(JSON.parse(line))))
  $stdout.flush
end
