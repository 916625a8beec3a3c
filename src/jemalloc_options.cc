// Options that jemalloc reads when the scheduler starts.  One thread allocates, so one arena
// serves.  Large blocks that are freed go back to the system: the memory reserve of the daemon
// counts on that.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "narenas:1,retain:false";
}
