/* Structs that people use: those of the kernel's interface and of the C library, as far as Debian's headers go together, with
   gcc and clang; on i386 and x32 some of them. */
#if __has_include(<stdio.h>)
#include <stdio.h>
#endif
#if __has_include(<stdlib.h>)
#include <stdlib.h>
#endif
#if __has_include(<pthread.h>)
#include <pthread.h>
#endif
#if __has_include(<sys/stat.h>)
#include <sys/stat.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sys/socket.h>)
#include <sys/socket.h>
#endif
#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif
#if __has_include(<signal.h>)
#include <signal.h>
#endif
#if __has_include(<ucontext.h>)
#include <ucontext.h>
#endif
#if __has_include(<aio.h>)
#include <aio.h>
#endif
#if __has_include(<glob.h>)
#include <glob.h>
#endif
#if __has_include(<regex.h>)
#include <regex.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<netdb.h>)
#include <netdb.h>
#endif
#if __has_include(<elf.h>)
#include <elf.h>
#endif
#if __has_include(<link.h>)
#include <link.h>
#endif
#if __has_include(<termios.h>)
#include <termios.h>
#endif
#if __has_include(<utmpx.h>)
#include <utmpx.h>
#endif
#if __has_include(<sys/msg.h>)
#include <sys/msg.h>
#endif
#if __has_include(<sys/shm.h>)
#include <sys/shm.h>
#endif
#if __has_include(<sys/sem.h>)
#include <sys/sem.h>
#endif
#if __has_include(<sys/statvfs.h>)
#include <sys/statvfs.h>
#endif
#if __has_include(<sys/times.h>)
#include <sys/times.h>
#endif
#if __has_include(<sys/uio.h>)
#include <sys/uio.h>
#endif
#if __has_include(<mqueue.h>)
#include <mqueue.h>
#endif
#if __has_include(<semaphore.h>)
#include <semaphore.h>
#endif
#if __has_include(<spawn.h>)
#include <spawn.h>
#endif
#if __has_include(<sys/epoll.h>)
#include <sys/epoll.h>
#endif
#if __has_include(<sys/inotify.h>)
#include <sys/inotify.h>
#endif
#if __has_include(<sys/timex.h>)
#include <sys/timex.h>
#endif
#if __has_include(<fts.h>)
#include <fts.h>
#endif
#if __has_include(<ftw.h>)
#include <ftw.h>
#endif
#if __has_include(<search.h>)
#include <search.h>
#endif
#if __has_include(<shadow.h>)
#include <shadow.h>
#endif
#if __has_include(<pwd.h>)
#include <pwd.h>
#endif
#if __has_include(<grp.h>)
#include <grp.h>
#endif
#if __has_include(<dirent.h>)
#include <dirent.h>
#endif
#if __has_include(<obstack.h>)
#include <obstack.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<argp.h>)
#include <argp.h>
#endif
#if __has_include(<rpc/netdb.h>)
#include <rpc/netdb.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<arpa/nameser.h>)
#include <arpa/nameser.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<resolv.h>)
#include <resolv.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<netinet/in.h>)
#include <netinet/in.h>
#endif
#if __has_include(<sys/un.h>)
#include <sys/un.h>
#endif
#if __has_include(<sys/user.h>)
#include <sys/user.h>
#endif
#if __has_include(<sys/procfs.h>)
#include <sys/procfs.h>
#endif
#if __has_include(<thread_db.h>)
#include <thread_db.h>
#endif
#if __has_include(<fstab.h>)
#include <fstab.h>
#endif
#if __has_include(<mntent.h>)
#include <mntent.h>
#endif
#if __has_include(<poll.h>)
#include <poll.h>
#endif
#if __has_include(<sched.h>)
#include <sched.h>
#endif
#if __has_include(<time.h>)
#include <time.h>
#endif
#if __has_include(<wchar.h>)
#include <wchar.h>
#endif
#if __has_include(<locale.h>)
#include <locale.h>
#endif
#if __has_include(<langinfo.h>)
#include <langinfo.h>
#endif
#if __has_include(<complex.h>)
#include <complex.h>
#endif
#if __has_include(<fenv.h>)
#include <fenv.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/a.out.h>)
#include <linux/a.out.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/acct.h>)
#include <linux/acct.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/acrn.h>)
#include <linux/acrn.h>
#endif
#if __has_include(<linux/adb.h>)
#include <linux/adb.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/adfs_fs.h>)
#include <linux/adfs_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/affs_hardblocks.h>)
#include <linux/affs_hardblocks.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/agpgart.h>)
#include <linux/agpgart.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/aio_abi.h>)
#include <linux/aio_abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/am437x-vpfe.h>)
#include <linux/am437x-vpfe.h>
#endif
#if __has_include(<linux/amt.h>)
#include <linux/amt.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/apm_bios.h>)
#include <linux/apm_bios.h>
#endif
#if __has_include(<linux/arcfb.h>)
#include <linux/arcfb.h>
#endif
#if __has_include(<linux/arm_sdei.h>)
#include <linux/arm_sdei.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/aspeed-lpc-ctrl.h>)
#include <linux/aspeed-lpc-ctrl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/aspeed-p2a-ctrl.h>)
#include <linux/aspeed-p2a-ctrl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atalk.h>)
#include <linux/atalk.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atm.h>)
#include <linux/atm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atm_eni.h>)
#include <linux/atm_eni.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atm_he.h>)
#include <linux/atm_he.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atm_idt77105.h>)
#include <linux/atm_idt77105.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atm_nicstar.h>)
#include <linux/atm_nicstar.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atm_tcp.h>)
#include <linux/atm_tcp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atm_zatm.h>)
#include <linux/atm_zatm.h>
#endif
#if __has_include(<linux/atmapi.h>)
#include <linux/atmapi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atmarp.h>)
#include <linux/atmarp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atmbr2684.h>)
#include <linux/atmbr2684.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atmclip.h>)
#include <linux/atmclip.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atmdev.h>)
#include <linux/atmdev.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atmioc.h>)
#include <linux/atmioc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atmlec.h>)
#include <linux/atmlec.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atmmpc.h>)
#include <linux/atmmpc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atmppp.h>)
#include <linux/atmppp.h>
#endif
#if __has_include(<linux/atmsap.h>)
#include <linux/atmsap.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/atmsvc.h>)
#include <linux/atmsvc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/audit.h>)
#include <linux/audit.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/auto_dev-ioctl.h>)
#include <linux/auto_dev-ioctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/auto_fs.h>)
#include <linux/auto_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/auto_fs4.h>)
#include <linux/auto_fs4.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/auxvec.h>)
#include <linux/auxvec.h>
#endif
#if __has_include(<linux/ax25.h>)
#include <linux/ax25.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/batadv_packet.h>)
#include <linux/batadv_packet.h>
#endif
#if __has_include(<linux/batman_adv.h>)
#include <linux/batman_adv.h>
#endif
#if __has_include(<linux/baycom.h>)
#include <linux/baycom.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/bcm933xx_hcs.h>)
#include <linux/bcm933xx_hcs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/bfs_fs.h>)
#include <linux/bfs_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/binfmts.h>)
#include <linux/binfmts.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/blkpg.h>)
#include <linux/blkpg.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/blktrace_api.h>)
#include <linux/blktrace_api.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/blkzoned.h>)
#include <linux/blkzoned.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/bpf.h>)
#include <linux/bpf.h>
#endif
#if __has_include(<linux/bpf_common.h>)
#include <linux/bpf_common.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/bpf_perf_event.h>)
#include <linux/bpf_perf_event.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/bpfilter.h>)
#include <linux/bpfilter.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/bpqether.h>)
#include <linux/bpqether.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/bsg.h>)
#include <linux/bsg.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/bt-bmc.h>)
#include <linux/bt-bmc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/btf.h>)
#include <linux/btf.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/btrfs.h>)
#include <linux/btrfs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/btrfs_tree.h>)
#include <linux/btrfs_tree.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cachefiles.h>)
#include <linux/cachefiles.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/can.h>)
#include <linux/can.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/capability.h>)
#include <linux/capability.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/capi.h>)
#include <linux/capi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cciss_defs.h>)
#include <linux/cciss_defs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cciss_ioctl.h>)
#include <linux/cciss_ioctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ccs.h>)
#include <linux/ccs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cdrom.h>)
#include <linux/cdrom.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cec-funcs.h>)
#include <linux/cec-funcs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cec.h>)
#include <linux/cec.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cfm_bridge.h>)
#include <linux/cfm_bridge.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cgroupstats.h>)
#include <linux/cgroupstats.h>
#endif
#if __has_include(<linux/chio.h>)
#include <linux/chio.h>
#endif
#if __has_include(<linux/close_range.h>)
#include <linux/close_range.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cm4000_cs.h>)
#include <linux/cm4000_cs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cn_proc.h>)
#include <linux/cn_proc.h>
#endif
#if __has_include(<linux/coff.h>)
#include <linux/coff.h>
#endif
#if __has_include(<linux/comedi.h>)
#include <linux/comedi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/connector.h>)
#include <linux/connector.h>
#endif
#if __has_include(<linux/const.h>)
#include <linux/const.h>
#endif
#if __has_include(<linux/coresight-stm.h>)
#include <linux/coresight-stm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/counter.h>)
#include <linux/counter.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cramfs_fs.h>)
#include <linux/cramfs_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cryptouser.h>)
#include <linux/cryptouser.h>
#endif
#if __has_include(<linux/cuda.h>)
#include <linux/cuda.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/cxl_mem.h>)
#include <linux/cxl_mem.h>
#endif
#if __has_include(<linux/cyclades.h>)
#include <linux/cyclades.h>
#endif
#if __has_include(<linux/cycx_cfm.h>)
#include <linux/cycx_cfm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dcbnl.h>)
#include <linux/dcbnl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dccp.h>)
#include <linux/dccp.h>
#endif
#if __has_include(<linux/devlink.h>)
#include <linux/devlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dlm.h>)
#include <linux/dlm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dlm_device.h>)
#include <linux/dlm_device.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dlm_netlink.h>)
#include <linux/dlm_netlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dlm_plock.h>)
#include <linux/dlm_plock.h>
#endif
#if __has_include(<linux/dlmconstants.h>)
#include <linux/dlmconstants.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dm-ioctl.h>)
#include <linux/dm-ioctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dm-log-userspace.h>)
#include <linux/dm-log-userspace.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dma-buf.h>)
#include <linux/dma-buf.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dma-heap.h>)
#include <linux/dma-heap.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dns_resolver.h>)
#include <linux/dns_resolver.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dqblk_xfs.h>)
#include <linux/dqblk_xfs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/dw100.h>)
#include <linux/dw100.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/edd.h>)
#include <linux/edd.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/efs_fs_sb.h>)
#include <linux/efs_fs_sb.h>
#endif
#if __has_include(<linux/elf-em.h>)
#include <linux/elf-em.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/errno.h>)
#include <linux/errno.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/errqueue.h>)
#include <linux/errqueue.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/erspan.h>)
#include <linux/erspan.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ethtool.h>)
#include <linux/ethtool.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ethtool_netlink.h>)
#include <linux/ethtool_netlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/f2fs.h>)
#include <linux/f2fs.h>
#endif
#if __has_include(<linux/fadvise.h>)
#include <linux/fadvise.h>
#endif
#if __has_include(<linux/falloc.h>)
#include <linux/falloc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fanotify.h>)
#include <linux/fanotify.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fb.h>)
#include <linux/fb.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fd.h>)
#include <linux/fd.h>
#endif
#if __has_include(<linux/fdreg.h>)
#include <linux/fdreg.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fib_rules.h>)
#include <linux/fib_rules.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fiemap.h>)
#include <linux/fiemap.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/filter.h>)
#include <linux/filter.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/firewire-cdev.h>)
#include <linux/firewire-cdev.h>
#endif
#if __has_include(<linux/firewire-constants.h>)
#include <linux/firewire-constants.h>
#endif
#if __has_include(<linux/fou.h>)
#include <linux/fou.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fpga-dfl.h>)
#include <linux/fpga-dfl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fs.h>)
#include <linux/fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fscrypt.h>)
#include <linux/fscrypt.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fsi.h>)
#include <linux/fsi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fsl_hypervisor.h>)
#include <linux/fsl_hypervisor.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fsl_mc.h>)
#include <linux/fsl_mc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fsmap.h>)
#include <linux/fsmap.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/fsverity.h>)
#include <linux/fsverity.h>
#endif
#if __has_include(<linux/fuse.h>)
#include <linux/fuse.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/futex.h>)
#include <linux/futex.h>
#endif
#if __has_include(<linux/gameport.h>)
#include <linux/gameport.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/gen_stats.h>)
#include <linux/gen_stats.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/genetlink.h>)
#include <linux/genetlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/gfs2_ondisk.h>)
#include <linux/gfs2_ondisk.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/gpio.h>)
#include <linux/gpio.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/gsmmux.h>)
#include <linux/gsmmux.h>
#endif
#if __has_include(<linux/gtp.h>)
#include <linux/gtp.h>
#endif
#if __has_include(<linux/hash_info.h>)
#include <linux/hash_info.h>
#endif
#if __has_include(<linux/hdlc.h>)
#include <linux/hdlc.h>
#endif
#if __has_include(<linux/hdlcdrv.h>)
#include <linux/hdlcdrv.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/hdreg.h>)
#include <linux/hdreg.h>
#endif
#if __has_include(<linux/hid.h>)
#include <linux/hid.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/hiddev.h>)
#include <linux/hiddev.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/hidraw.h>)
#include <linux/hidraw.h>
#endif
#if __has_include(<linux/hpet.h>)
#include <linux/hpet.h>
#endif
#if __has_include(<linux/hsr_netlink.h>)
#include <linux/hsr_netlink.h>
#endif
#if __has_include(<linux/hw_breakpoint.h>)
#include <linux/hw_breakpoint.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/hyperv.h>)
#include <linux/hyperv.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/i2c-dev.h>)
#include <linux/i2c-dev.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/i2c.h>)
#include <linux/i2c.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/i2o-dev.h>)
#include <linux/i2o-dev.h>
#endif
#if __has_include(<linux/i8k.h>)
#include <linux/i8k.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/icmp.h>)
#include <linux/icmp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/icmpv6.h>)
#include <linux/icmpv6.h>
#endif
#if __has_include(<linux/idxd.h>)
#include <linux/idxd.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if.h>)
#include <linux/if.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_addr.h>)
#include <linux/if_addr.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_addrlabel.h>)
#include <linux/if_addrlabel.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_alg.h>)
#include <linux/if_alg.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_arcnet.h>)
#include <linux/if_arcnet.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_arp.h>)
#include <linux/if_arp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_bonding.h>)
#include <linux/if_bonding.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_bridge.h>)
#include <linux/if_bridge.h>
#endif
#if __has_include(<linux/if_cablemodem.h>)
#include <linux/if_cablemodem.h>
#endif
#if __has_include(<linux/if_eql.h>)
#include <linux/if_eql.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_ether.h>)
#include <linux/if_ether.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_fc.h>)
#include <linux/if_fc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_fddi.h>)
#include <linux/if_fddi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_hippi.h>)
#include <linux/if_hippi.h>
#endif
#if __has_include(<linux/if_infiniband.h>)
#include <linux/if_infiniband.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_link.h>)
#include <linux/if_link.h>
#endif
#if __has_include(<linux/if_ltalk.h>)
#include <linux/if_ltalk.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_macsec.h>)
#include <linux/if_macsec.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_packet.h>)
#include <linux/if_packet.h>
#endif
#if __has_include(<linux/if_phonet.h>)
#include <linux/if_phonet.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_plip.h>)
#include <linux/if_plip.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_ppp.h>)
#include <linux/if_ppp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_pppol2tp.h>)
#include <linux/if_pppol2tp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_pppox.h>)
#include <linux/if_pppox.h>
#endif
#if __has_include(<linux/if_slip.h>)
#include <linux/if_slip.h>
#endif
#if __has_include(<linux/if_team.h>)
#include <linux/if_team.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_tun.h>)
#include <linux/if_tun.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_tunnel.h>)
#include <linux/if_tunnel.h>
#endif
#if __has_include(<linux/if_vlan.h>)
#include <linux/if_vlan.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_x25.h>)
#include <linux/if_x25.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/if_xdp.h>)
#include <linux/if_xdp.h>
#endif
#if __has_include(<linux/ife.h>)
#include <linux/ife.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/igmp.h>)
#include <linux/igmp.h>
#endif
#if __has_include(<linux/ila.h>)
#include <linux/ila.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/in.h>)
#include <linux/in.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/in6.h>)
#include <linux/in6.h>
#endif
#if __has_include(<linux/in_route.h>)
#include <linux/in_route.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/inet_diag.h>)
#include <linux/inet_diag.h>
#endif
#if __has_include(<linux/input-event-codes.h>)
#include <linux/input-event-codes.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/input.h>)
#include <linux/input.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ioam6.h>)
#include <linux/ioam6.h>
#endif
#if __has_include(<linux/ioam6_genl.h>)
#include <linux/ioam6_genl.h>
#endif
#if __has_include(<linux/ioam6_iptunnel.h>)
#include <linux/ioam6_iptunnel.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ioctl.h>)
#include <linux/ioctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/iommu.h>)
#include <linux/iommu.h>
#endif
#if __has_include(<linux/ioprio.h>)
#include <linux/ioprio.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ip.h>)
#include <linux/ip.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ip6_tunnel.h>)
#include <linux/ip6_tunnel.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ip_vs.h>)
#include <linux/ip_vs.h>
#endif
#if __has_include(<linux/ipmi.h>)
#include <linux/ipmi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ipmi_bmc.h>)
#include <linux/ipmi_bmc.h>
#endif
#if __has_include(<linux/ipmi_msgdefs.h>)
#include <linux/ipmi_msgdefs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ipsec.h>)
#include <linux/ipsec.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ipv6.h>)
#include <linux/ipv6.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ipv6_route.h>)
#include <linux/ipv6_route.h>
#endif
#if __has_include(<linux/irqnr.h>)
#include <linux/irqnr.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/iso_fs.h>)
#include <linux/iso_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/isst_if.h>)
#include <linux/isst_if.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ivtv.h>)
#include <linux/ivtv.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ivtvfb.h>)
#include <linux/ivtvfb.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/jffs2.h>)
#include <linux/jffs2.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/joystick.h>)
#include <linux/joystick.h>
#endif
#if __has_include(<linux/kcm.h>)
#include <linux/kcm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/kcmp.h>)
#include <linux/kcmp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/kcov.h>)
#include <linux/kcov.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/kd.h>)
#include <linux/kd.h>
#endif
#if __has_include(<linux/kdev_t.h>)
#include <linux/kdev_t.h>
#endif
#if __has_include(<linux/kernel-page-flags.h>)
#include <linux/kernel-page-flags.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/kernel.h>)
#include <linux/kernel.h>
#endif
#if __has_include(<linux/kernelcapi.h>)
#include <linux/kernelcapi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/kexec.h>)
#include <linux/kexec.h>
#endif
#if __has_include(<linux/keyboard.h>)
#include <linux/keyboard.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/keyctl.h>)
#include <linux/keyctl.h>
#endif
#if __has_include(<linux/kfd_sysfs.h>)
#include <linux/kfd_sysfs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/kvm.h>)
#include <linux/kvm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/kvm_para.h>)
#include <linux/kvm_para.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/l2tp.h>)
#include <linux/l2tp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#if __has_include(<linux/libc-compat.h>)
#include <linux/libc-compat.h>
#endif
#if __has_include(<linux/limits.h>)
#include <linux/limits.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/lirc.h>)
#include <linux/lirc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/llc.h>)
#include <linux/llc.h>
#endif
#if __has_include(<linux/loadpin.h>)
#include <linux/loadpin.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/loop.h>)
#include <linux/loop.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/lp.h>)
#include <linux/lp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/lwtunnel.h>)
#include <linux/lwtunnel.h>
#endif
#if __has_include(<linux/magic.h>)
#include <linux/magic.h>
#endif
#if __has_include(<linux/major.h>)
#include <linux/major.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/map_to_14segment.h>)
#include <linux/map_to_14segment.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/map_to_7segment.h>)
#include <linux/map_to_7segment.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/matroxfb.h>)
#include <linux/matroxfb.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/max2175.h>)
#include <linux/max2175.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mctp.h>)
#include <linux/mctp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mdio.h>)
#include <linux/mdio.h>
#endif
#if __has_include(<linux/media-bus-format.h>)
#include <linux/media-bus-format.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/media.h>)
#include <linux/media.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mei.h>)
#include <linux/mei.h>
#endif
#if __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#endif
#if __has_include(<linux/memfd.h>)
#include <linux/memfd.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mempolicy.h>)
#include <linux/mempolicy.h>
#endif
#if __has_include(<linux/meye.h>)
#include <linux/meye.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mii.h>)
#include <linux/mii.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/minix_fs.h>)
#include <linux/minix_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mman.h>)
#include <linux/mman.h>
#endif
#if __has_include(<linux/mmtimer.h>)
#include <linux/mmtimer.h>
#endif
#if __has_include(<linux/module.h>)
#include <linux/module.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mount.h>)
#include <linux/mount.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mpls.h>)
#include <linux/mpls.h>
#endif
#if __has_include(<linux/mpls_iptunnel.h>)
#include <linux/mpls_iptunnel.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mptcp.h>)
#include <linux/mptcp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mroute.h>)
#include <linux/mroute.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mroute6.h>)
#include <linux/mroute6.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mrp_bridge.h>)
#include <linux/mrp_bridge.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/msdos_fs.h>)
#include <linux/msdos_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/mtio.h>)
#include <linux/mtio.h>
#endif
#if __has_include(<linux/nbd-netlink.h>)
#include <linux/nbd-netlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nbd.h>)
#include <linux/nbd.h>
#endif
#if __has_include(<linux/ncsi.h>)
#include <linux/ncsi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ndctl.h>)
#include <linux/ndctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/neighbour.h>)
#include <linux/neighbour.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/net.h>)
#include <linux/net.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/net_dropmon.h>)
#include <linux/net_dropmon.h>
#endif
#if __has_include(<linux/net_namespace.h>)
#include <linux/net_namespace.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/net_tstamp.h>)
#include <linux/net_tstamp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netconf.h>)
#include <linux/netconf.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netdevice.h>)
#include <linux/netdevice.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter.h>)
#include <linux/netfilter.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter_arp.h>)
#include <linux/netfilter_arp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter_ipv4.h>)
#include <linux/netfilter_ipv4.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter_ipv6.h>)
#include <linux/netfilter_ipv6.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netlink.h>)
#include <linux/netlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netlink_diag.h>)
#include <linux/netlink_diag.h>
#endif
#if __has_include(<linux/netrom.h>)
#include <linux/netrom.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nexthop.h>)
#include <linux/nexthop.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nfc.h>)
#include <linux/nfc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nfs.h>)
#include <linux/nfs.h>
#endif
#if __has_include(<linux/nfs2.h>)
#include <linux/nfs2.h>
#endif
#if __has_include(<linux/nfs3.h>)
#include <linux/nfs3.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nfs4.h>)
#include <linux/nfs4.h>
#endif
#if __has_include(<linux/nfs4_mount.h>)
#include <linux/nfs4_mount.h>
#endif
#if __has_include(<linux/nfs_fs.h>)
#include <linux/nfs_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nfs_idmap.h>)
#include <linux/nfs_idmap.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nfs_mount.h>)
#include <linux/nfs_mount.h>
#endif
#if __has_include(<linux/nfsacl.h>)
#include <linux/nfsacl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nilfs2_api.h>)
#include <linux/nilfs2_api.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nilfs2_ondisk.h>)
#include <linux/nilfs2_ondisk.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nitro_enclaves.h>)
#include <linux/nitro_enclaves.h>
#endif
#if __has_include(<linux/nl80211-vnd-intel.h>)
#include <linux/nl80211-vnd-intel.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nl80211.h>)
#include <linux/nl80211.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nsfs.h>)
#include <linux/nsfs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nubus.h>)
#include <linux/nubus.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nvme_ioctl.h>)
#include <linux/nvme_ioctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/nvram.h>)
#include <linux/nvram.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/omap3isp.h>)
#include <linux/omap3isp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/omapfb.h>)
#include <linux/omapfb.h>
#endif
#if __has_include(<linux/oom.h>)
#include <linux/oom.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/openvswitch.h>)
#include <linux/openvswitch.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/packet_diag.h>)
#include <linux/packet_diag.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/param.h>)
#include <linux/param.h>
#endif
#if __has_include(<linux/parport.h>)
#include <linux/parport.h>
#endif
#if __has_include(<linux/pci.h>)
#include <linux/pci.h>
#endif
#if __has_include(<linux/pci_regs.h>)
#include <linux/pci_regs.h>
#endif
#if __has_include(<linux/pcitest.h>)
#include <linux/pcitest.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#endif
#if __has_include(<linux/personality.h>)
#include <linux/personality.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/pfkeyv2.h>)
#include <linux/pfkeyv2.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/pfrut.h>)
#include <linux/pfrut.h>
#endif
#if __has_include(<linux/pg.h>)
#include <linux/pg.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/phantom.h>)
#include <linux/phantom.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/phonet.h>)
#include <linux/phonet.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/pkt_cls.h>)
#include <linux/pkt_cls.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/pkt_sched.h>)
#include <linux/pkt_sched.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/pktcdvd.h>)
#include <linux/pktcdvd.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/pmu.h>)
#include <linux/pmu.h>
#endif
#if __has_include(<linux/posix_acl.h>)
#include <linux/posix_acl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/posix_acl_xattr.h>)
#include <linux/posix_acl_xattr.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/posix_types.h>)
#include <linux/posix_types.h>
#endif
#if __has_include(<linux/ppdev.h>)
#include <linux/ppdev.h>
#endif
#if __has_include(<linux/ppp-comp.h>)
#include <linux/ppp-comp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ppp-ioctl.h>)
#include <linux/ppp-ioctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ppp_defs.h>)
#include <linux/ppp_defs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/pps.h>)
#include <linux/pps.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/pr.h>)
#include <linux/pr.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/prctl.h>)
#include <linux/prctl.h>
#endif
#if __has_include(<linux/psample.h>)
#include <linux/psample.h>
#endif
#if __has_include(<linux/psci.h>)
#include <linux/psci.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/psp-sev.h>)
#include <linux/psp-sev.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ptp_clock.h>)
#include <linux/ptp_clock.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ptrace.h>)
#include <linux/ptrace.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/qemu_fw_cfg.h>)
#include <linux/qemu_fw_cfg.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/qnx4_fs.h>)
#include <linux/qnx4_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/qnxtypes.h>)
#include <linux/qnxtypes.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/qrtr.h>)
#include <linux/qrtr.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/quota.h>)
#include <linux/quota.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/radeonfb.h>)
#include <linux/radeonfb.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/random.h>)
#include <linux/random.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rds.h>)
#include <linux/rds.h>
#endif
#if __has_include(<linux/reboot.h>)
#include <linux/reboot.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/reiserfs_fs.h>)
#include <linux/reiserfs_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/reiserfs_xattr.h>)
#include <linux/reiserfs_xattr.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/remoteproc_cdev.h>)
#include <linux/remoteproc_cdev.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rfkill.h>)
#include <linux/rfkill.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rio_cm_cdev.h>)
#include <linux/rio_cm_cdev.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rio_mport_cdev.h>)
#include <linux/rio_mport_cdev.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rkisp1-config.h>)
#include <linux/rkisp1-config.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/romfs_fs.h>)
#include <linux/romfs_fs.h>
#endif
#if __has_include(<linux/rose.h>)
#include <linux/rose.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/route.h>)
#include <linux/route.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rpl.h>)
#include <linux/rpl.h>
#endif
#if __has_include(<linux/rpl_iptunnel.h>)
#include <linux/rpl_iptunnel.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rpmsg.h>)
#include <linux/rpmsg.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rpmsg_types.h>)
#include <linux/rpmsg_types.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rseq.h>)
#include <linux/rseq.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rtc.h>)
#include <linux/rtc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rtnetlink.h>)
#include <linux/rtnetlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/rxrpc.h>)
#include <linux/rxrpc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/scc.h>)
#include <linux/scc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sched.h>)
#include <linux/sched.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/scif_ioctl.h>)
#include <linux/scif_ioctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/screen_info.h>)
#include <linux/screen_info.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sctp.h>)
#include <linux/sctp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/seccomp.h>)
#include <linux/seccomp.h>
#endif
#if __has_include(<linux/securebits.h>)
#include <linux/securebits.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sed-opal.h>)
#include <linux/sed-opal.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/seg6.h>)
#include <linux/seg6.h>
#endif
#if __has_include(<linux/seg6_genl.h>)
#include <linux/seg6_genl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/seg6_hmac.h>)
#include <linux/seg6_hmac.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/seg6_iptunnel.h>)
#include <linux/seg6_iptunnel.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/seg6_local.h>)
#include <linux/seg6_local.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/selinux_netlink.h>)
#include <linux/selinux_netlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/serial.h>)
#include <linux/serial.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/serial_core.h>)
#include <linux/serial_core.h>
#endif
#if __has_include(<linux/serial_reg.h>)
#include <linux/serial_reg.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/serio.h>)
#include <linux/serio.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sev-guest.h>)
#include <linux/sev-guest.h>
#endif
#if __has_include(<linux/smc.h>)
#include <linux/smc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/smc_diag.h>)
#include <linux/smc_diag.h>
#endif
#if __has_include(<linux/smiapp.h>)
#include <linux/smiapp.h>
#endif
#if __has_include(<linux/snmp.h>)
#include <linux/snmp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sock_diag.h>)
#include <linux/sock_diag.h>
#endif
#if __has_include(<linux/socket.h>)
#include <linux/socket.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sockios.h>)
#include <linux/sockios.h>
#endif
#if __has_include(<linux/sonet.h>)
#include <linux/sonet.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sonypi.h>)
#include <linux/sonypi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sound.h>)
#include <linux/sound.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/soundcard.h>)
#include <linux/soundcard.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/stat.h>)
#include <linux/stat.h>
#endif
#if __has_include(<linux/stddef.h>)
#include <linux/stddef.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/stm.h>)
#include <linux/stm.h>
#endif
#if __has_include(<linux/string.h>)
#include <linux/string.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/suspend_ioctls.h>)
#include <linux/suspend_ioctls.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/swab.h>)
#include <linux/swab.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/switchtec_ioctl.h>)
#include <linux/switchtec_ioctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sync_file.h>)
#include <linux/sync_file.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/synclink.h>)
#include <linux/synclink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sysctl.h>)
#include <linux/sysctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/sysinfo.h>)
#include <linux/sysinfo.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/taskstats.h>)
#include <linux/taskstats.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/tcp.h>)
#include <linux/tcp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/tcp_metrics.h>)
#include <linux/tcp_metrics.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/tee.h>)
#include <linux/tee.h>
#endif
#if __has_include(<linux/thermal.h>)
#include <linux/thermal.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/time_types.h>)
#include <linux/time_types.h>
#endif
#if __has_include(<linux/tiocl.h>)
#include <linux/tiocl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/tipc.h>)
#include <linux/tipc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/tipc_config.h>)
#include <linux/tipc_config.h>
#endif
#if __has_include(<linux/tipc_netlink.h>)
#include <linux/tipc_netlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/tipc_sockets_diag.h>)
#include <linux/tipc_sockets_diag.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/tls.h>)
#include <linux/tls.h>
#endif
#if __has_include(<linux/toshiba.h>)
#include <linux/toshiba.h>
#endif
#if __has_include(<linux/tty.h>)
#include <linux/tty.h>
#endif
#if __has_include(<linux/tty_flags.h>)
#include <linux/tty_flags.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/types.h>)
#include <linux/types.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/ublk_cmd.h>)
#include <linux/ublk_cmd.h>
#endif
#if __has_include(<linux/udf_fs_i.h>)
#include <linux/udf_fs_i.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/udmabuf.h>)
#include <linux/udmabuf.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/udp.h>)
#include <linux/udp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/uhid.h>)
#include <linux/uhid.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/uinput.h>)
#include <linux/uinput.h>
#endif
#if __has_include(<linux/uleds.h>)
#include <linux/uleds.h>
#endif
#if __has_include(<linux/ultrasound.h>)
#include <linux/ultrasound.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/um_timetravel.h>)
#include <linux/um_timetravel.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/unistd.h>)
#include <linux/unistd.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/unix_diag.h>)
#include <linux/unix_diag.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/usbdevice_fs.h>)
#include <linux/usbdevice_fs.h>
#endif
#if __has_include(<linux/usbip.h>)
#include <linux/usbip.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/userfaultfd.h>)
#include <linux/userfaultfd.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/userio.h>)
#include <linux/userio.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/utime.h>)
#include <linux/utime.h>
#endif
#if __has_include(<linux/utsname.h>)
#include <linux/utsname.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/uuid.h>)
#include <linux/uuid.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/uvcvideo.h>)
#include <linux/uvcvideo.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/v4l2-common.h>)
#include <linux/v4l2-common.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/v4l2-controls.h>)
#include <linux/v4l2-controls.h>
#endif
#if __has_include(<linux/v4l2-dv-timings.h>)
#include <linux/v4l2-dv-timings.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/v4l2-mediabus.h>)
#include <linux/v4l2-mediabus.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/v4l2-subdev.h>)
#include <linux/v4l2-subdev.h>
#endif
#if __has_include(<linux/vbox_err.h>)
#include <linux/vbox_err.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vbox_vmmdev_types.h>)
#include <linux/vbox_vmmdev_types.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vboxguest.h>)
#include <linux/vboxguest.h>
#endif
#if __has_include(<linux/vdpa.h>)
#include <linux/vdpa.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vduse.h>)
#include <linux/vduse.h>
#endif
#if __has_include(<linux/version.h>)
#include <linux/version.h>
#endif
#if __has_include(<linux/veth.h>)
#include <linux/veth.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vfio.h>)
#include <linux/vfio.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vfio_ccw.h>)
#include <linux/vfio_ccw.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vfio_zdev.h>)
#include <linux/vfio_zdev.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vhost.h>)
#include <linux/vhost.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vhost_types.h>)
#include <linux/vhost_types.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/videodev2.h>)
#include <linux/videodev2.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_9p.h>)
#include <linux/virtio_9p.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_balloon.h>)
#include <linux/virtio_balloon.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_blk.h>)
#include <linux/virtio_blk.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_bt.h>)
#include <linux/virtio_bt.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_config.h>)
#include <linux/virtio_config.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_console.h>)
#include <linux/virtio_console.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_crypto.h>)
#include <linux/virtio_crypto.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_fs.h>)
#include <linux/virtio_fs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_gpio.h>)
#include <linux/virtio_gpio.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_gpu.h>)
#include <linux/virtio_gpu.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_i2c.h>)
#include <linux/virtio_i2c.h>
#endif
#if __has_include(<linux/virtio_ids.h>)
#include <linux/virtio_ids.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_input.h>)
#include <linux/virtio_input.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_iommu.h>)
#include <linux/virtio_iommu.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_mem.h>)
#include <linux/virtio_mem.h>
#endif
#if __has_include(<linux/virtio_mmio.h>)
#include <linux/virtio_mmio.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_net.h>)
#include <linux/virtio_net.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_pci.h>)
#include <linux/virtio_pci.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_pcidev.h>)
#include <linux/virtio_pcidev.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_pmem.h>)
#include <linux/virtio_pmem.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_ring.h>)
#include <linux/virtio_ring.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_rng.h>)
#include <linux/virtio_rng.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_scmi.h>)
#include <linux/virtio_scmi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_scsi.h>)
#include <linux/virtio_scsi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_snd.h>)
#include <linux/virtio_snd.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_types.h>)
#include <linux/virtio_types.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/virtio_vsock.h>)
#include <linux/virtio_vsock.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vm_sockets.h>)
#include <linux/vm_sockets.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vm_sockets_diag.h>)
#include <linux/vm_sockets_diag.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vmcore.h>)
#include <linux/vmcore.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vsockmon.h>)
#include <linux/vsockmon.h>
#endif
#if __has_include(<linux/vt.h>)
#include <linux/vt.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/vtpm_proxy.h>)
#include <linux/vtpm_proxy.h>
#endif
#if __has_include(<linux/wait.h>)
#include <linux/wait.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/watchdog.h>)
#include <linux/watchdog.h>
#endif
#if __has_include(<linux/wireguard.h>)
#include <linux/wireguard.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/wireless.h>)
#include <linux/wireless.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/wmi.h>)
#include <linux/wmi.h>
#endif
#if __has_include(<linux/wwan.h>)
#include <linux/wwan.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/x25.h>)
#include <linux/x25.h>
#endif
#if __has_include(<linux/xattr.h>)
#include <linux/xattr.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/xdp_diag.h>)
#include <linux/xdp_diag.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/xfrm.h>)
#include <linux/xfrm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/xilinx-v4l2-controls.h>)
#include <linux/xilinx-v4l2-controls.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/zorro.h>)
#include <linux/zorro.h>
#endif
#if __has_include(<linux/zorro_ids.h>)
#include <linux/zorro_ids.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/asequencer.h>)
#include <sound/asequencer.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/asoc.h>)
#include <sound/asoc.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/asound.h>)
#include <sound/asound.h>
#endif
#if __has_include(<sound/asound_fm.h>)
#include <sound/asound_fm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/compress_offload.h>)
#include <sound/compress_offload.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/compress_params.h>)
#include <sound/compress_params.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/emu10k1.h>)
#include <sound/emu10k1.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/firewire.h>)
#include <sound/firewire.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/hdsp.h>)
#include <sound/hdsp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/hdspm.h>)
#include <sound/hdspm.h>
#endif
#if __has_include(<sound/sb16_csp.h>)
#include <sound/sb16_csp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/sfnt_info.h>)
#include <sound/sfnt_info.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<sound/skl-tplg-interface.h>)
#include <sound/skl-tplg-interface.h>
#endif
#if __has_include(<sound/snd_ar_tokens.h>)
#include <sound/snd_ar_tokens.h>
#endif
#if __has_include(<sound/snd_sst_tokens.h>)
#include <sound/snd_sst_tokens.h>
#endif
#if __has_include(<sound/tlv.h>)
#include <sound/tlv.h>
#endif
#if __has_include(<sound/usb_stream.h>)
#include <sound/usb_stream.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/bnxt_re-abi.h>)
#include <rdma/bnxt_re-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/cxgb4-abi.h>)
#include <rdma/cxgb4-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/efa-abi.h>)
#include <rdma/efa-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/erdma-abi.h>)
#include <rdma/erdma-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/hns-abi.h>)
#include <rdma/hns-abi.h>
#endif
#if __has_include(<rdma/ib_user_ioctl_cmds.h>)
#include <rdma/ib_user_ioctl_cmds.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/ib_user_ioctl_verbs.h>)
#include <rdma/ib_user_ioctl_verbs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/ib_user_mad.h>)
#include <rdma/ib_user_mad.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/ib_user_sa.h>)
#include <rdma/ib_user_sa.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/ib_user_verbs.h>)
#include <rdma/ib_user_verbs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/irdma-abi.h>)
#include <rdma/irdma-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/mlx4-abi.h>)
#include <rdma/mlx4-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/mlx5-abi.h>)
#include <rdma/mlx5-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/mlx5_user_ioctl_cmds.h>)
#include <rdma/mlx5_user_ioctl_cmds.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/mlx5_user_ioctl_verbs.h>)
#include <rdma/mlx5_user_ioctl_verbs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/mthca-abi.h>)
#include <rdma/mthca-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/ocrdma-abi.h>)
#include <rdma/ocrdma-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/qedr-abi.h>)
#include <rdma/qedr-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/rdma_netlink.h>)
#include <rdma/rdma_netlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/rdma_user_cm.h>)
#include <rdma/rdma_user_cm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/rdma_user_ioctl.h>)
#include <rdma/rdma_user_ioctl.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/rdma_user_ioctl_cmds.h>)
#include <rdma/rdma_user_ioctl_cmds.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/rdma_user_rxe.h>)
#include <rdma/rdma_user_rxe.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/rvt-abi.h>)
#include <rdma/rvt-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/siw-abi.h>)
#include <rdma/siw-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<rdma/vmw_pvrdma-abi.h>)
#include <rdma/vmw_pvrdma-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<mtd/inftl-user.h>)
#include <mtd/inftl-user.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<mtd/mtd-abi.h>)
#include <mtd/mtd-abi.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<mtd/mtd-user.h>)
#include <mtd/mtd-user.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<mtd/nftl-user.h>)
#include <mtd/nftl-user.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<mtd/ubi-user.h>)
#include <mtd/ubi-user.h>
#endif
#if __has_include(<scsi/scsi.h>)
#include <scsi/scsi.h>
#endif
#if __has_include(<scsi/scsi_ioctl.h>)
#include <scsi/scsi_ioctl.h>
#endif
#if __has_include(<scsi/sg.h>)
#include <scsi/sg.h>
#endif
#if __has_include(<video/edid.h>)
#include <video/edid.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<video/sisfb.h>)
#include <video/sisfb.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<video/uvesafb.h>)
#include <video/uvesafb.h>
#endif
#if __has_include(<linux/netfilter/nf_conntrack_common.h>)
#include <linux/netfilter/nf_conntrack_common.h>
#endif
#if __has_include(<linux/netfilter/nf_conntrack_ftp.h>)
#include <linux/netfilter/nf_conntrack_ftp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nf_conntrack_sctp.h>)
#include <linux/netfilter/nf_conntrack_sctp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nf_conntrack_tcp.h>)
#include <linux/netfilter/nf_conntrack_tcp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nf_conntrack_tuple_common.h>)
#include <linux/netfilter/nf_conntrack_tuple_common.h>
#endif
#if __has_include(<linux/netfilter/nf_log.h>)
#include <linux/netfilter/nf_log.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nf_nat.h>)
#include <linux/netfilter/nf_nat.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nf_synproxy.h>)
#include <linux/netfilter/nf_synproxy.h>
#endif
#if __has_include(<linux/netfilter/nf_tables.h>)
#include <linux/netfilter/nf_tables.h>
#endif
#if __has_include(<linux/netfilter/nf_tables_compat.h>)
#include <linux/netfilter/nf_tables_compat.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nfnetlink.h>)
#include <linux/netfilter/nfnetlink.h>
#endif
#if __has_include(<linux/netfilter/nfnetlink_acct.h>)
#include <linux/netfilter/nfnetlink_acct.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nfnetlink_compat.h>)
#include <linux/netfilter/nfnetlink_compat.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nfnetlink_conntrack.h>)
#include <linux/netfilter/nfnetlink_conntrack.h>
#endif
#if __has_include(<linux/netfilter/nfnetlink_cthelper.h>)
#include <linux/netfilter/nfnetlink_cthelper.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nfnetlink_cttimeout.h>)
#include <linux/netfilter/nfnetlink_cttimeout.h>
#endif
#if __has_include(<linux/netfilter/nfnetlink_hook.h>)
#include <linux/netfilter/nfnetlink_hook.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nfnetlink_log.h>)
#include <linux/netfilter/nfnetlink_log.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nfnetlink_osf.h>)
#include <linux/netfilter/nfnetlink_osf.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/nfnetlink_queue.h>)
#include <linux/netfilter/nfnetlink_queue.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/x_tables.h>)
#include <linux/netfilter/x_tables.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_AUDIT.h>)
#include <linux/netfilter/xt_AUDIT.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_CHECKSUM.h>)
#include <linux/netfilter/xt_CHECKSUM.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_CLASSIFY.h>)
#include <linux/netfilter/xt_CLASSIFY.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_CONNMARK.h>)
#include <linux/netfilter/xt_CONNMARK.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_CONNSECMARK.h>)
#include <linux/netfilter/xt_CONNSECMARK.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_CT.h>)
#include <linux/netfilter/xt_CT.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_DSCP.h>)
#include <linux/netfilter/xt_DSCP.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_HMARK.h>)
#include <linux/netfilter/xt_HMARK.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_IDLETIMER.h>)
#include <linux/netfilter/xt_IDLETIMER.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_LED.h>)
#include <linux/netfilter/xt_LED.h>
#endif
#if __has_include(<linux/netfilter/xt_LOG.h>)
#include <linux/netfilter/xt_LOG.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_MARK.h>)
#include <linux/netfilter/xt_MARK.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_NFLOG.h>)
#include <linux/netfilter/xt_NFLOG.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_NFQUEUE.h>)
#include <linux/netfilter/xt_NFQUEUE.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_RATEEST.h>)
#include <linux/netfilter/xt_RATEEST.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_SECMARK.h>)
#include <linux/netfilter/xt_SECMARK.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_SYNPROXY.h>)
#include <linux/netfilter/xt_SYNPROXY.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_TCPMSS.h>)
#include <linux/netfilter/xt_TCPMSS.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_TCPOPTSTRIP.h>)
#include <linux/netfilter/xt_TCPOPTSTRIP.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_TEE.h>)
#include <linux/netfilter/xt_TEE.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_TPROXY.h>)
#include <linux/netfilter/xt_TPROXY.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_addrtype.h>)
#include <linux/netfilter/xt_addrtype.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_bpf.h>)
#include <linux/netfilter/xt_bpf.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_cgroup.h>)
#include <linux/netfilter/xt_cgroup.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_cluster.h>)
#include <linux/netfilter/xt_cluster.h>
#endif
#if __has_include(<linux/netfilter/xt_comment.h>)
#include <linux/netfilter/xt_comment.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_connbytes.h>)
#include <linux/netfilter/xt_connbytes.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_connlabel.h>)
#include <linux/netfilter/xt_connlabel.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_connlimit.h>)
#include <linux/netfilter/xt_connlimit.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_connmark.h>)
#include <linux/netfilter/xt_connmark.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_conntrack.h>)
#include <linux/netfilter/xt_conntrack.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_cpu.h>)
#include <linux/netfilter/xt_cpu.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_dccp.h>)
#include <linux/netfilter/xt_dccp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_devgroup.h>)
#include <linux/netfilter/xt_devgroup.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_dscp.h>)
#include <linux/netfilter/xt_dscp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_ecn.h>)
#include <linux/netfilter/xt_ecn.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_esp.h>)
#include <linux/netfilter/xt_esp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_hashlimit.h>)
#include <linux/netfilter/xt_hashlimit.h>
#endif
#if __has_include(<linux/netfilter/xt_helper.h>)
#include <linux/netfilter/xt_helper.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_ipcomp.h>)
#include <linux/netfilter/xt_ipcomp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_iprange.h>)
#include <linux/netfilter/xt_iprange.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_ipvs.h>)
#include <linux/netfilter/xt_ipvs.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_l2tp.h>)
#include <linux/netfilter/xt_l2tp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_length.h>)
#include <linux/netfilter/xt_length.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_limit.h>)
#include <linux/netfilter/xt_limit.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_mac.h>)
#include <linux/netfilter/xt_mac.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_mark.h>)
#include <linux/netfilter/xt_mark.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_multiport.h>)
#include <linux/netfilter/xt_multiport.h>
#endif
#if __has_include(<linux/netfilter/xt_nfacct.h>)
#include <linux/netfilter/xt_nfacct.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_osf.h>)
#include <linux/netfilter/xt_osf.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_owner.h>)
#include <linux/netfilter/xt_owner.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_physdev.h>)
#include <linux/netfilter/xt_physdev.h>
#endif
#if __has_include(<linux/netfilter/xt_pkttype.h>)
#include <linux/netfilter/xt_pkttype.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_policy.h>)
#include <linux/netfilter/xt_policy.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_quota.h>)
#include <linux/netfilter/xt_quota.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_rateest.h>)
#include <linux/netfilter/xt_rateest.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_realm.h>)
#include <linux/netfilter/xt_realm.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_recent.h>)
#include <linux/netfilter/xt_recent.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_rpfilter.h>)
#include <linux/netfilter/xt_rpfilter.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_sctp.h>)
#include <linux/netfilter/xt_sctp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_set.h>)
#include <linux/netfilter/xt_set.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_socket.h>)
#include <linux/netfilter/xt_socket.h>
#endif
#if __has_include(<linux/netfilter/xt_state.h>)
#include <linux/netfilter/xt_state.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_statistic.h>)
#include <linux/netfilter/xt_statistic.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_string.h>)
#include <linux/netfilter/xt_string.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_tcpmss.h>)
#include <linux/netfilter/xt_tcpmss.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_tcpudp.h>)
#include <linux/netfilter/xt_tcpudp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_time.h>)
#include <linux/netfilter/xt_time.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/netfilter/xt_u32.h>)
#include <linux/netfilter/xt_u32.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/can/bcm.h>)
#include <linux/can/bcm.h>
#endif
#if __has_include(<linux/can/error.h>)
#include <linux/can/error.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/can/gw.h>)
#include <linux/can/gw.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/can/isotp.h>)
#include <linux/can/isotp.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/can/j1939.h>)
#include <linux/can/j1939.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/can/netlink.h>)
#include <linux/can/netlink.h>
#endif
#if __SIZEOF_POINTER__ == 8 && __has_include(<linux/can/raw.h>)
#include <linux/can/raw.h>
#endif
#if __has_include(<linux/can/vxcan.h>)
#include <linux/can/vxcan.h>
#endif
