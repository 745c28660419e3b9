#pragma once
#include <stdarg.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <stdint.h>
#include <microhttpd.h>

/* Called on the daemon's thread before libmicrohttpd refuses a request by itself, among other complaints of its. Of whom it
   complains it does not say. */
struct cmhd_listener {
  void (*complained)(void *context);
  void *context;
};
static inline void cmhd_complain(void *listener, const char *format, va_list arguments) {
  (void)format, (void)arguments;
  struct cmhd_listener *told = listener;
  told->complained(told->context);
}

/* MHD_start_daemon and MHD_set_connection_option are variadic, which Swift cannot call.
   libmicrohttpd sends files with sendfile only where it is told that no SIGPIPE can come of it: the thread that runs the daemon
   has to block that. */
static inline struct MHD_Daemon *cmhd_start(int listen_socket, unsigned connection_limit, size_t connection_memory,
    unsigned idle_seconds, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connected, void *(*begin)(void *, const char *, struct MHD_Connection *),
    struct cmhd_listener *listener, void *context) {
  return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, 0, 0, handle, context,
      MHD_OPTION_EXTERNAL_LOGGER, cmhd_complain, listener, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
      MHD_OPTION_LISTEN_SOCKET, listen_socket, MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, connected, context,
      MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_END);
}
static inline int cmhd_epoll_fd(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}
static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : 0;
}
static inline int cmhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/* A suspended connection is out of libmicrohttpd's sight: these watch it for a peer that leaves. */
static inline int cmhd_watch_open(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline void cmhd_watch(int watch, int socket) {
  struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data = {.fd = socket}};
  epoll_ctl(watch, EPOLL_CTL_ADD, socket, &event);
}
static inline void cmhd_unwatch(int watch, int socket) { epoll_ctl(watch, EPOLL_CTL_DEL, socket, 0); }
/* Fills in the sockets of peers that left, at most 64, and returns their number. */
static inline int cmhd_departed(int watch, int sockets[64]) {
  struct epoll_event events[64];
  int count = epoll_wait(watch, events, 64, 0);
  for (int i = 0; i < count; i++) sockets[i] = events[i].data.fd;
  return count < 0 ? 0 : count;
}
static inline int cmhd_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
