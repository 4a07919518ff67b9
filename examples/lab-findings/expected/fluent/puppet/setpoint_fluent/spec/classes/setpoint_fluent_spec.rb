# frozen_string_literal: true

require 'spec_helper'

describe 'setpoint_fluent' do
  let(:facts) do
    {
      'os' => {
        'family' => 'RedHat',
        'name' => 'RedHat',
        'release' => { 'major' => '7' },
      },
      'dmi' => { 'product' => { 'name' => 'PowerEdge C6420' } },
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

  it 'activates the profile unless it is active' do
    is_expected.to contain_exec('setpoint: tuned profile').with_unless(/Current active profile: setpoint-fluent'/)
  end

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^energy_perf_bias=performance$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^force_latency=1$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^governor=performance$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^min_perf_pct=100$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^readahead=>4096$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^dynamic=0$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^net\.core\.busy_read=50$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^net\.core\.busy_poll=50$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^vm\.dirty_background_ratio=3$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^vm\.dirty_ratio=10$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^kernel\.numa_balancing=0$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^vm\.swappiness=10$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^vm\.zone_reclaim_mode=1$/) }

  it { is_expected.to contain_file('/etc/tuned/setpoint-fluent/tuned.conf').with_content(/^transparent_hugepages=always$/) }

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
