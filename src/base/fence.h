// The fence between the scheduler and the outside world, for setups in which another host may take
// over: a time after which the scheduler has no further effects.
//
// Call pass_fence() right before every effect visible from outside: a line or a file written, a
// request to a resource manager, a program started, an answer to a client.  A thread that is too
// late waits there: either the lease is renewed and it continues as if nothing had happened, or
// another scheduler has taken over and the process ends.  Without a lease the fence is open.
//
// The fence belongs to the process, as memory and signals do.
#pragma once
#include <chrono>

namespace maui {

/// Closes the fence at that time of boot_time().  Any thread may call this; a later time releases
/// waiting threads.
void set_fence(std::chrono::nanoseconds closes);
/// Removes the fence.
void remove_fence();
/// True while the fence may be passed.
bool fence_is_open();
/// Returns at once while the fence is open; else waits until it is.  During the wait SIGTERM and
/// SIGINT end the process at once: it must not write its state any more.
void pass_fence();
/// Returns how long threads have waited at the fence since the last call.
std::chrono::nanoseconds take_fenced_time();

}  // namespace maui
