#define RIVAL                  rival_rwlock
#define RIVAL_NAME             "rwlock"
#define RIVAL_LOCK_TYPE        pthread_rwlock_t
#define RIVAL_LOCK_INITIALIZER PTHREAD_RWLOCK_INITIALIZER
#define RIVAL_LOCK             pthread_rwlock_wrlock
#define RIVAL_LOCK_TO_READ     pthread_rwlock_rdlock
#define RIVAL_UNLOCK           pthread_rwlock_unlock
#include "rival_lock.h"
