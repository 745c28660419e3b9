#pragma once

#include <spawn.h>

// glibc declares these for _GNU_SOURCE only, which Swift's module of it does not set.
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
