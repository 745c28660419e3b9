#include <libpq-fe.h>

/* libpq writes notices to the standard error by itself unless it is told where else they go. */
static inline void cpostgres_ignore_notice(void *context, const PGresult *notice) {
    (void)context;
    (void)notice;
}

static inline void cpostgres_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, cpostgres_ignore_notice, 0);
}

/* Swift does not see macros that are characters. */
static const int CPOSTGRES_SQLSTATE = PG_DIAG_SQLSTATE;
static const int CPOSTGRES_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;
