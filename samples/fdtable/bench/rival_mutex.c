#define RIVAL                  rival_mutex
#define RIVAL_NAME             "mutex"
#define RIVAL_LOCK_TYPE        pthread_mutex_t
#define RIVAL_LOCK_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define RIVAL_LOCK             pthread_mutex_lock
#define RIVAL_LOCK_TO_READ     pthread_mutex_lock
#define RIVAL_UNLOCK           pthread_mutex_unlock
#include "rival_lock.h"
