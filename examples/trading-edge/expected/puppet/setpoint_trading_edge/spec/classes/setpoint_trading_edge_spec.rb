# frozen_string_literal: true

require 'spec_helper'

describe 'setpoint_trading_edge' do
  let(:facts) do
    {
      'os' => {
        'family' => 'RedHat',
        'name' => 'RedHat',
        'release' => { 'major' => '6' },
      },
      'dmi' => { 'product' => { 'name' => 'PowerEdge R710' } },
      'processors' => { 'physicalcount' => 2 },
      'kernel' => 'Linux',
    }
  end

  it { is_expected.to compile.with_all_deps }

  it 'asks the boot loader before it changes the kernel arguments' do
    is_expected.to contain_exec('setpoint: kernel arguments')
      .with_unless(/grubby.sh --next/)
      .that_notifies('Exec[setpoint: restart]')
  end

  context 'with kernel arguments by hand' do
    let(:params) { { 'kernel_arguments_by' => 'by-hand' } }

    it { is_expected.not_to contain_exec('setpoint: kernel arguments') }
  end

  context 'with a boot loader that nobody knows' do
    let(:params) { { 'kernel_arguments_by' => 'lilo' } }

    it { is_expected.to compile.and_raise_error(/kernel_arguments_by/) }
  end

  it { is_expected.to contain_service('cpuspeed').with_ensure('stopped').with_enable(false) }

  context 'with cpuspeed left alone' do
    let(:params) { { 'cpuspeed' => 'unmanaged' } }

    it { is_expected.not_to contain_service('cpuspeed') }
  end

  it 'activates the profile unless it is active' do
    is_expected.to contain_exec('setpoint: tuned profile').with_unless(/Current active profile: setpoint-trading-edge'/)
  end

  context 'without tuned' do
    let(:params) { { 'manage_tuned' => false } }

    it { is_expected.to compile.with_all_deps }
    it { is_expected.not_to contain_exec('setpoint: tuned profile') }
  end

  context 'with the firmware' do
    let(:params) { { 'manage_firmware' => true } }

    it 'compares the BIOS settings before it sets them' do
      is_expected.to contain_exec('setpoint: BIOS settings')
        .with_unless(/apply.sh .*--verify/)
        .that_notifies('Exec[setpoint: restart]')
    end
  end

  context 'with a setup password' do
    let(:params) { { 'manage_firmware' => true, 'setup_password_file' => '/etc/setpoint/password' } }

    it { is_expected.to contain_exec('setpoint: BIOS settings').with_command(%r{head -n 1 /etc/setpoint/password}) }
  end

  context 'without the firmware' do
    let(:params) { { 'manage_firmware' => false } }

    it { is_expected.to compile.with_all_deps }
    it { is_expected.not_to contain_exec('setpoint: BIOS settings') }
  end

  it { is_expected.to contain_exec('setpoint: restart').with_refreshonly(true) }

  it 'never restarts a server' do
    commands = catalogue.resources.select { |r| r.type == 'Exec' }.map { |r| r[:command] || r.title }
    expect(commands.grep(/\b(reboot|shutdown|halt|poweroff)\b/)).to be_empty
  end

  context 'on another server' do
    let(:facts) { super().merge('dmi' => { 'product' => { 'name' => 'Another' } }) }

    it { is_expected.to compile.and_raise_error(/reports the product Another/) }

    context 'that is not compared' do
      let(:params) { { 'check_product' => false } }

      it { is_expected.to compile.with_all_deps }
    end
  end

  context 'on a system that the policy was not compiled for' do
    let(:facts) { { 'os' => { 'family' => 'Solaris', 'name' => 'Solaris', 'release' => { 'major' => '11' } } } }

    it { is_expected.to compile.and_raise_error(/was compiled for/) }
  end
end
