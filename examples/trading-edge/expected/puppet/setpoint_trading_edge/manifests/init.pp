# @summary A Setpoint policy: kernel arguments, cpuspeed service, tuned profile, BIOS settings
#
# Brings a server to the policy trading-edge.
#
# It never restarts the server. What takes effect with the next start is set, and a message says that a restart is
# pending. The values and what may be changed are in data/common.yaml, the reasons there and in the README.
#
# @example On the servers that the policy is for
#   include setpoint_trading_edge
#
# @param operating_systems
#   The systems that the policy was compiled for: releases by the fact os.family. On any other the catalog is refused.
#   Where it is empty, none is.
#
# @param folder
#   The folder for the scripts that Puppet calls.
#
# @param state_folder
#   The folder in which old values and notes are kept.
#
# @param path
#   Where programs are looked for.
#
# @param check_product
#   Whether the catalog is refused where the product name of the server is not what the policy is for.
#
# @param check_sockets
#   Whether the catalog is refused where the processor sockets of the server are not what the policy is for.
#
# @param check_system
#   Whether the catalog is refused where the operating system of the server is not what the policy is for.
#
# @param kernel_arguments_by
#   How the kernel arguments get to the boot loader.
#
# @param cpuspeed
#   What the cpuspeed service is to do, now and from the next start on.
#
# @param manage_tuned
#   Whether Puppet sees to the profile of tuned.
#
# @param tuned_folders
#   The folders that the profile is put in; there is more than one where the version of tuned decides which it reads.
#
# @param tuned_correct_drift
#   Whether the active profile is applied again when values have drifted from it.
#
# @param manage_firmware
#   Whether Puppet sees to the BIOS settings.
#
# @param syscfg
#   The syscfg of Dell's Deployment Toolkit.
#
# @param setup_password_file
#   A file on the server that has the setup password of its BIOS on the first line. Only the path is in the catalog.
#
class setpoint_trading_edge (
  Hash[String[1], Array[String[1], 1]] $operating_systems,
  Setpoint_trading_edge::Path $folder,
  Setpoint_trading_edge::Path $state_folder,
  Array[Setpoint_trading_edge::Path, 1] $path,
  Boolean $check_product,
  Boolean $check_sockets,
  Boolean $check_system,
  Enum['grubby', 'by-hand'] $kernel_arguments_by,
  Enum['running', 'stopped', 'unmanaged'] $cpuspeed,
  Boolean $manage_tuned,
  Array[Setpoint_trading_edge::Path, 1] $tuned_folders,
  Boolean $tuned_correct_drift,
  Boolean $manage_firmware,
  Setpoint_trading_edge::Path $syscfg,
  Optional[Setpoint_trading_edge::Path] $setup_password_file = undef,
) {
  $os = $facts['os']
  $releases = $operating_systems[$os['family']]
  unless $operating_systems.empty or ($releases =~ Array and $os['release']['major'] in $releases) {
    fail("${module_name} was compiled for ${operating_systems}, and this server has ${os['name']} ${os['release']['major']}")
  }

  # Is this a server that the policy is for? The product name of its DMI table.
  $products = [
    'PowerEdge R710',
  ]
  $product = $facts.get('dmi.product.name', 'none')
  if $check_product and !($product in $products) {
    $product_wanted = "states platform r710 (${products.join(' or ')})"
    $product_help = 'state the right platform and compile again, or set check_product to false'
    fail("${module_name}: this server reports the product ${product}, and the policy ${product_wanted}: ${product_help}")
  }

  # How many processors it has.
  $sockets = $facts.get('processors.physicalcount', 0)
  if $check_sockets and !(String($sockets) in ['2']) {
    $sockets_help = "state \"sockets ${sockets}\" and compile again, or set check_sockets to false"
    fail("${module_name}: this server reports ${sockets} processor socket(s), and the policy states 2: ${sockets_help}")
  }

  # Its operating system, as the kernel names it.
  if $check_system and !($facts['kernel'] in ['Linux']) {
    $system_help = 'state the right os and compile again, or set check_system to false'
    fail("${module_name}: this server reports the system ${facts['kernel']}, and the policy states os rhel-6: ${system_help}")
  }

  # The scripts look as well, but for what is not to be compared.
  $ignored = [
    [$check_product, 'product'],
    [$check_sockets, 'sockets'],
    [$check_system, 'system'],
    [!$operating_systems.empty, 'distribution'],
  ].filter |$check| { !$check[0] }.map |$check| { $check[1] }
  $sh = $ignored ? {
    []      => 'sh',
    default => "SETPOINT_IGNORE='${ignored.join(' ')}' sh",
  }

  exec { "mkdir -p ${folder}":
    path    => $path,
    creates => $folder,
  }

  -> file { $folder:
    ensure => directory,
    mode   => '0755',
  }

  # The kernel arguments. Whether they are right is asked of the boot loader: the running kernel has them only after a
  # restart.
  file { "${folder}/grubby.sh":
    ensure => file,
    source => "puppet:///modules/${module_name}/kernel-args/grubby.sh",
    mode   => '0755',
  }

  $boot_loader_has = $kernel_arguments_by ? {
    'grubby' => "${sh} ${folder}/grubby.sh --next",
    default  => undef,
  }

  case $kernel_arguments_by {
    'grubby': {
      exec { 'setpoint: kernel arguments':
        command   => "${sh} ${folder}/grubby.sh",
        unless    => $boot_loader_has,
        path      => $path,
        provider  => shell,
        logoutput => true,
        require   => File["${folder}/grubby.sh"],
        notify    => Exec['setpoint: restart'],
      }
    }
    default: {
      warning("${module_name}: the kernel arguments are left to you; ${folder}/grubby.sh --verify compares them")
    }
  }

  unless $cpuspeed == 'unmanaged' {
    service { 'cpuspeed':
      ensure => $cpuspeed,
      enable => $cpuspeed == 'running',
    }
  }

  # The profile of tuned. The copy is of what tuned has read: it does not look at its files by itself.
  $name_of_profile = 'setpoint-trading-edge'
  $profile = "${tuned_folders[0]}/${name_of_profile}"
  $active = "tuned-adm active | grep -qxF 'Current active profile: ${name_of_profile}'"
  $as_profiled = "${sh} ${profile}/ktune.sh status"
  if $manage_tuned {
    $read = "${folder}/${name_of_profile}.read"

    $tuned_folders.each |$parent| {
      exec { "mkdir -p ${parent}":
        path    => $path,
        creates => $parent,
      }

      -> file { "${parent}/${name_of_profile}":
        ensure => directory,
        mode   => '0755',
      }

      -> file { "${parent}/${name_of_profile}/tuned.conf":
        ensure => file,
        source => "puppet:///modules/${module_name}/tuned/tuned.conf",
        mode   => '0644',
        before => Exec['setpoint: tuned profile'],
      }
      -> file { "${parent}/${name_of_profile}/ktune.sh":
        ensure => file,
        source => "puppet:///modules/${module_name}/tuned/ktune.sh",
        mode   => '0755',
        before => Exec['setpoint: tuned profile'],
      }
      -> file { "${parent}/${name_of_profile}/ktune.sysconfig":
        ensure => file,
        source => "puppet:///modules/${module_name}/tuned/ktune.sysconfig",
        mode   => '0644',
        before => Exec['setpoint: tuned profile'],
      }
      -> file { "${parent}/${name_of_profile}/sysctl.ktune":
        ensure => file,
        source => "puppet:///modules/${module_name}/tuned/sysctl.ktune",
        mode   => '0644',
        before => Exec['setpoint: tuned profile'],
      }
    }

    $settled = $tuned_correct_drift ? {
      true  => "${active} && ${as_profiled}",
      false => $active,
    }
    exec { 'setpoint: tuned profile':
      command   => "tuned-adm profile ${name_of_profile} && cat ${profile}/* > ${read}",
      unless    => "cat ${profile}/* | cmp -s - ${read} && ${settled}",
      path      => $path,
      provider  => shell,
      logoutput => on_failure,
      require   => File[$folder],
    }
  }

  # The BIOS settings. What is set counts as right, though it takes effect with the next start only.
  $firmware = "${sh} ${folder}/apply.sh --state ${state_folder}"
  if $manage_firmware {
    $password = $setup_password_file ? {
      undef   => '',
      default => "SETPOINT_SETUP_PASSWORD=\"$(head -n 1 ${setup_password_file})\" ",
    }

    file { "${folder}/apply.sh":
      ensure => file,
      source => "puppet:///modules/${module_name}/syscfg/apply.sh",
      mode   => '0755',
    }

    -> exec { 'setpoint: BIOS settings':
      command     => "${password}${firmware}",
      unless      => "${firmware} --verify",
      environment => ["SYSCFG=${syscfg}"],
      path        => $path,
      provider    => shell,
      logoutput   => true,
      timeout     => 1800,
      notify      => Exec['setpoint: restart'],
    }
  }

  # What there is to compare, for status.sh.
  $commands = {
    'kernel_arguments' => "${sh} ${folder}/grubby.sh --verify",
    'cpuspeed'         => $cpuspeed ? {
      'running'   => 'service_is cpuspeed running',
      'stopped'   => 'service_is cpuspeed stopped',
      'unmanaged' => undef,
    },
    'tuned'            => $manage_tuned ? {
      true  => "needs tuned-adm || return 4; ${active} && ${as_profiled} || return 3",
      false => undef,
    },
    'firmware'         => $manage_firmware ? {
      true  => "SYSCFG=${syscfg} ${firmware} --verify",
      false => undef,
    },
  }
  file { "${folder}/status.sh":
    ensure  => file,
    content => epp("${module_name}/status.sh.epp", {
        'path'            => $path,
        'commands'        => $commands.filter |$part, $command| { $command =~ NotUndef },
        'boot_loader_has' => $boot_loader_has,
    }),
    mode    => '0755',
  }

  # Called by what takes effect with the next start only, in the run that has changed it.
  -> exec { 'setpoint: restart':
    command     => "sh ${folder}/status.sh --restart",
    returns     => [0, 3, 4],
    path        => $path,
    provider    => shell,
    logoutput   => true,
    loglevel    => warning,
    refreshonly => true,
  }
}
