# frozen_string_literal: true

require 'rspec-puppet'

RSpec.configure do |config|
  # The module's folder has the module's name, so that the folder around it is a modulepath.
  config.module_path = File.expand_path('../..', __dir__)
end
