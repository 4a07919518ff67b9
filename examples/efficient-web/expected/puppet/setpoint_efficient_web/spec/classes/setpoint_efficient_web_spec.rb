# frozen_string_literal: true

require 'spec_helper'

describe 'setpoint_efficient_web' do
  let(:facts) do
    {
      'os' => {
        'family' => 'RedHat',
        'name' => 'RedHat',
        'release' => { 'major' => '7' },
      },
      'dmi' => { 'product' => { 'name' => 'PowerEdge R720' } },
      'processors' => { 'physicalcount' => 2 },
      'kernel' => 'Linux',
    }
  end

  it { is_expected.to compile.with_all_deps }

  it 'runs the program for the kernel arguments if it has something to change' do
    is_expected.to contain_exec('setpoint: kernel arguments')
      .with_unless(/setpoint-host try .*kernel-args.plan/)
      .that_notifies('Exec[setpoint: restart]')
  end

  context 'with kernel arguments by hand' do
    let(:params) { { 'kernel_arguments_by' => 'by-hand' } }

    it { is_expected.not_to contain_exec('setpoint: kernel arguments') }
  end

  context 'with an unknown boot loader' do
    let(:params) { { 'kernel_arguments_by' => 'lilo' } }

    it { is_expected.to compile.and_raise_error(/kernel_arguments_by/) }
  end

  it 'runs the program for the tuned profile if it has something to change' do
    is_expected.to contain_file('/var/lib/setpoint/puppet/tuned.plan').with_source(%r{/tuned/tuned.plan\z})
    is_expected.to contain_exec('setpoint: tuned profile')
      .with_unless(/setpoint-host try .*tuned.plan/)
      .that_subscribes_to('File[/var/lib/setpoint/puppet/tuned.plan]')
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
        .with_unless(/setpoint-host verify .*racadm.plan/)
        .that_notifies('Exec[setpoint: restart]')
    end
  end

  context 'without the firmware' do
    let(:params) { { 'manage_firmware' => false } }

    it { is_expected.to compile.with_all_deps }
    it { is_expected.not_to contain_exec('setpoint: BIOS settings') }
  end

  context 'rolled back' do
    let(:params) { { 'ensure' => 'absent', 'manage_firmware' => true } }

    it 'restores each part, and changes none' do
      is_expected.to compile.with_all_deps
      is_expected.to contain_exec('setpoint: roll back kernel arguments')
      is_expected.not_to contain_exec('setpoint: kernel arguments')
      is_expected.to contain_exec('setpoint: roll back tuned profile')
      is_expected.not_to contain_exec('setpoint: tuned profile')
      is_expected.to contain_exec('setpoint: roll back BIOS settings')
      is_expected.not_to contain_exec('setpoint: BIOS settings')
    end
  end

  it { is_expected.to contain_exec('setpoint: restart').with_refreshonly(true) }

  it 'never restarts a server' do
    commands = catalogue.resources.select { |r| r.type == 'Exec' }.map { |r| r[:command] || r.title }
    expect(commands.grep(/\b(reboot|shutdown|halt|poweroff)\b/)).to be_empty
  end

  context 'on another server' do
    let(:facts) { super().merge('dmi' => { 'product' => { 'name' => 'Another' } }) }

    it { is_expected.to compile.and_raise_error(/reports the product Another/) }

    context 'without the comparison' do
      let(:params) { { 'check_product' => false } }

      it { is_expected.to compile.with_all_deps }
    end
  end

  context 'on a system that the policy was not compiled for' do
    let(:facts) { { 'os' => { 'family' => 'Solaris', 'name' => 'Solaris', 'release' => { 'major' => '11' } } } }

    it { is_expected.to compile.and_raise_error(/was compiled for/) }
  end
end
