/* Where a program of ours lies, for dev/launcher.c and dev/onefile.c. */

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Write the whole path of this program, as the kernel says, with its end; -1 where there is none that fits. */
static int own_path(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length < 0 && realpath((const char *)getauxval(AT_EXECFN), path) != NULL)
        length = strlen(path);
    if (length <= 0 || length >= (ssize_t)size - 1 || path[0] != '/')
        return -1;
    path[length] = 0;
    return 0;
}
