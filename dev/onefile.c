/* The frozen program in one file, on Linux: it unpacks itself once, and then starts what it has unpacked.

   Behind this program's own code stand the packed files, a table of them, and a footer (dev/onefile.py writes them). The
   place is rulez/programs/DIGEST in the user's cache, where DIGEST is the SHA-256 of this whole file: another version has
   another place. What is there is used only where nobody else can have changed it:

   - each directory from the place up to / belongs to this user or root, and nobody else may write there but in one with
     the sticky bit; from the cache down no link is followed; the place itself has the mode 0700;
   - each file and directory in it has the type, mode, size and times that stand in its stamp, and its owner. A write,
     a rename and a change of mode set the time of change, which no program can choose.

   A place that is not so is put aside and unpacked anew. Where that cannot be, another place is taken: below
   XDG_RUNTIME_DIR, TMPDIR or /tmp. One that lies in the project is never taken: a repository may set variables.

   Whatever goes wrong before the unpacked program runs denies: exit 2 and a text block on every agent. */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>

#include "own_path.h"

#define DIGEST 32
#define SHOWN (2 * DIGEST + 1)
#define TIME 20                         /* digits of a time */
#define DEEPEST 64                      /* directories above one another that are looked at */
#define STAMP "stamp"                   /* in the place, beside the program */
#define WAITED 3000                     /* milliseconds for another process that unpacks */
#define DAY (24 * 60 * 60)
#define UNUSED_FOR (14 * DAY)           /* then the place of another version is removed */
#define NOBODY 65534                    /* whom Linux names in the place of users that a namespace does not know */
#define MOST_ASIDE 3                    /* places that were put aside, or never became one */
#define MOST_NAMES 10                   /* of directories in TMPDIR: the first may be another user's */

struct footer {
    uint64_t data, table; /* where they begin */
    uint64_t length;      /* bytes of all files, unpacked */
    char mark[8];
    unsigned char digest[DIGEST]; /* of all bytes of this file before it */
};
#define MARK "rulezone"

/* Where the program may lie: a directory that exists, or whose last part is made, and a name below it. */
struct spot {
    char base[PATH_MAX];
    char name[32];
    int made;  /* the base, where it is not there */
    int again; /* only where the spot before is another user's */
};

static char program[PATH_MAX], digest[SHOWN], cause[512];
static struct footer footer;
static char *table;
static size_t table_length;
static int file = -1; /* this program's own */

static void refuse(const char *why)
{
    char said[1024];
    int length = snprintf(said, sizeof said, "Blocked: rulez cannot start: %s. Instead: %s.\n", why,
                          footer.length ? "free some space, or have a home directory that only you can write"
                                        : "install rulez again");
    if (write(2, said, length < (int)sizeof said ? length : (int)sizeof said - 1) < 0)
        _exit(2);
    _exit(2);
}

/* Keep the first reason why there is no place: that is the one people can do something about. */
static int fail(const char *format, ...)
{
    if (cause[0] == 0) {
        va_list values;
        va_start(values, format);
        vsnprintf(cause, sizeof cause, format, values);
        va_end(values);
        for (char *at = cause; *at; at++)
            if ((unsigned char)*at < ' ' || *at == 127)
                *at = '?';
    }
    return -1;
}

/* SHA-256 (FIPS 180-4). */

static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t value, int by)
{
    return value >> by | value << (32 - by);
}

static void take_block(uint32_t *state, const unsigned char *block)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t first = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                         rounds[i] + w[i];
        uint32_t second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

static void sha256(const unsigned char *data, size_t length, unsigned char *result)
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char last[128] = {0};
    size_t whole = length / 64 * 64, left = length - whole, end = left < 56 ? 64 : 128;
    for (size_t at = 0; at < whole; at += 64)
        take_block(state, data + at);
    memcpy(last, data + whole, left);
    last[left] = 0x80;
    for (int i = 0; i < 8; i++)
        last[end - 1 - i] = (unsigned char)((uint64_t)length * 8 >> 8 * i);
    for (size_t at = 0; at < end; at += 64)
        take_block(state, last + at);
    for (int i = 0; i < DIGEST; i++)
        result[i] = (unsigned char)(state[i / 4] >> (24 - i % 4 * 8));
}

/* This file. */

static int read_at(void *into, size_t length, off_t at)
{
    for (char *to = into; length > 0;) {
        ssize_t got = pread(file, to, length, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        to += got, at += got, length -= got;
    }
    return 0;
}

static void find_program(void)
{
    struct stat status;
    if (own_path(program, sizeof program) != 0)
        refuse("its own file is not found");
    if ((file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)) < 0 && (file = open(program, O_RDONLY | O_CLOEXEC)) < 0)
        refuse("its own file cannot be read");
    struct footer read;
    if (fstat(file, &status) != 0 || status.st_size < (off_t)sizeof read ||
        read_at(&read, sizeof read, status.st_size - sizeof read) != 0)
        refuse("its own file cannot be read");
    uint64_t end = status.st_size - sizeof read;
    if (memcmp(read.mark, MARK, sizeof read.mark) != 0 || read.table >= end || read.data >= read.table)
        refuse("its own file is damaged");
    table_length = end - read.table;
    if ((table = malloc(table_length)) == NULL || read_at(table, table_length, read.table) != 0 ||
        table[table_length - 1] != '\n')
        refuse("its own file cannot be read");
    footer = read;
    for (int i = 0; i < DIGEST; i++)
        snprintf(digest + 2 * i, 3, "%02x", footer.digest[i]);
}

/* One line of the table: "MODE SIZE DIGEST NAME"; a directory has no digest, and stands before what is in it. */
struct entry {
    unsigned long mode, size;
    const char *line;
    size_t length;
    char name[NAME_MAX * 4];
};

static const char *next_entry(const char *at, struct entry *one)
{
    const char *end = at < table + table_length ? memchr(at, '\n', table + table_length - at) : NULL;
    char *after;
    if (end == NULL)
        return NULL;
    one->line = at;
    one->length = end + 1 - at;
    one->mode = strtoul(at, &after, 8);
    one->size = strtoul(after, &after, 10);
    const char *name = *after == ' ' ? memchr(after + 1, ' ', end - after - 1) : NULL;
    if (name == NULL || end - name > (long)sizeof one->name || name + 1 == end)
        refuse("its own file is damaged");
    memcpy(one->name, name + 1, end - name - 1);
    one->name[end - name - 1] = 0;
    return end + 1;
}

/* Is it safe? */

static int is_ours(const struct stat *status)
{
    return status->st_uid == geteuid() || status->st_uid == 0;
}

static int others_write(const struct stat *status)
{
    return (status->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

/* Whether this process sees the users outside of its namespace as one: root's directories are then nobody's. */
static int sees_few_users(void)
{
    unsigned long first, outside, length = 0;
    FILE *map = fopen("/proc/self/uid_map", "re");
    int few = map != NULL && fscanf(map, "%lu %lu %lu", &first, &outside, &length) == 3 && length < UINT32_MAX;
    if (map != NULL)
        fclose(map);
    return few;
}

static int is_safe_above(const struct stat *status)
{
    return is_ours(status) || (status->st_uid == NOBODY && sees_few_users());
}

/* Whether only this user and root can change a directory, and put another in its place. */
static int is_safe_up(int directory)
{
    int here = dup(directory), safe = 0;
    for (int depth = 0; here >= 0 && depth < DEEPEST; depth++) {
        struct stat status, parent;
        int above = openat(here, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        int known = above >= 0 && fstat(here, &status) == 0 && fstat(above, &parent) == 0;
        close(here);
        here = above;
        if (!known || !is_safe_above(&status) || (others_write(&status) && !(status.st_mode & S_ISVTX)))
            break;
        if (status.st_ino == parent.st_ino && status.st_dev == parent.st_dev) {
            safe = 1;
            break;
        }
    }
    if (here >= 0)
        close(here);
    return safe;
}

static int is_in(const char *path, const char *above)
{
    size_t length = strlen(above);
    while (length > 0 && above[length - 1] == '/')
        length--;
    return strncmp(path, above, length) == 0 && (path[length] == 0 || path[length] == '/');
}

/* The home directory that the system knows for this user, not the environment. */
static int known_home(char *home)
{
    char line[PATH_MAX + 512];
    int found = 0;
    FILE *users = fopen("/etc/passwd", "re");
    while (users != NULL && !found && fgets(line, sizeof line, users) != NULL) {
        char *field[6], *at = line;
        int count = 0;
        while (count < 6 && (field[count] = strsep(&at, ":")) != NULL)
            count++;
        found = count == 6 && strtoul(field[2], NULL, 10) == geteuid() && field[2][0] >= '0' && field[2][0] <= '9' &&
                realpath(field[5], home) != NULL;
    }
    if (users != NULL)
        fclose(users);
    return found;
}

/* Whether a directory lies in the project: in the working directory, or in the repository around it. A project that has
   the user's home in it is no reason: what is there is theirs. */
static int is_in_project(int directory)
{
    char link[64], real[PATH_MAX], ground[PATH_MAX], path[PATH_MAX + 16], home[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, real, sizeof real - 1);
    if (length <= 0 || getcwd(ground, sizeof ground) == NULL)
        return 0;
    real[length] = 0;
    char around[PATH_MAX];
    strcpy(around, ground);
    for (char *end = around + strlen(around); end != NULL; end = strrchr(around, '/')) {
        *end = 0;
        snprintf(path, sizeof path, "%s/.git", around);
        int there = access(path, F_OK) == 0;
        snprintf(path, sizeof path, "%s/.rulez", around);
        if (there || access(path, F_OK) == 0) {
            strcpy(ground, around[0] ? around : "/");
            break;
        }
    }
    return strcmp(ground, "/") != 0 && is_in(real, ground) && !(known_home(home) && is_in(home, ground));
}

/* The directory `name` in another one, made where there is none; -1 where that cannot be, or it is not safe. */
static int below(int directory, const char *name, const char *shown)
{
    struct stat status;
    int found = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (found < 0 && errno == ENOENT && mkdirat(directory, name, 0700) == 0)
        found = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (found < 0 && errno == EEXIST) /* another process was quicker */
        found = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (found < 0)
        return fail("%s: %s", shown, strerror(errno));
    if (fstat(found, &status) == 0 && is_ours(&status) && !others_write(&status))
        return found;
    close(found);
    return fail("%s: another user can write there", shown);
}

/* A time in nanoseconds, in digits of one length; every call writes hundreds of them. */
static char *put_time(char *to, const struct timespec *time)
{
    uint64_t left = (uint64_t)time->tv_sec * 1000000000 + time->tv_nsec;
    for (int at = TIME - 1; at >= 0; at--, left /= 10)
        to[at] = (char)('0' + left % 10);
    to[TIME] = ' ';
    return to + TIME + 1;
}

/* What the stamp of the files in this directory has to be: the digest, and each line of the table behind when the file
   was written and when it was changed. NULL where one of them cannot be one of ours. */
static char *stamp_of(int place, size_t *length)
{
    struct entry one;
    size_t lines = 0;
    for (const char *at = table; (at = memchr(at, '\n', table + table_length - at)) != NULL; at++)
        lines++;
    char *stamp = malloc(SHOWN + table_length + lines * 2 * (TIME + 1)), *to = stamp;
    if (stamp == NULL)
        return NULL;
    to += sprintf(to, "%s\n", digest);
    for (const char *at = table; (at = next_entry(at, &one)) != NULL;) {
        struct stat status;
        if (fstatat(place, one.name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !is_ours(&status) ||
            status.st_mode != one.mode || (S_ISREG(one.mode) && (unsigned long)status.st_size != one.size)) {
            free(stamp);
            return NULL;
        }
        to = put_time(put_time(to, &status.st_mtim), &status.st_ctim);
        memcpy(to, one.line, one.length);
        to += one.length;
    }
    *length = to - stamp;
    return stamp;
}

/* Whether the place in this directory is as it was unpacked. Its time says when it was used, to a day. */
static int is_sound(int programs)
{
    struct stat status, written;
    size_t length = 0;
    int sound = 0, place = openat(programs, digest, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0)
        return 0;
    if (fstat(place, &status) == 0 && is_ours(&status) && (status.st_mode & 07777) == 0700) {
        char *stamp = stamp_of(place, &length), *said = NULL;
        int kept = openat(place, STAMP, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (stamp != NULL && kept >= 0 && fstat(kept, &written) == 0 && is_ours(&written) && !others_write(&written) &&
            written.st_size == (off_t)length && (said = malloc(length)) != NULL)
            sound = read(kept, said, length) == (ssize_t)length && memcmp(said, stamp, length) == 0;
        if (kept >= 0)
            close(kept);
        free(said);
        free(stamp);
        if (sound && time(NULL) - status.st_mtim.tv_sec > DAY)
            (void)futimens(place, NULL);
    }
    close(place);
    return sound;
}

/* Unpacking. */

static void remove_all(int directory, const char *name, int depth)
{
    if (unlinkat(directory, name, 0) == 0 || (errno != EISDIR && errno != EPERM) || depth > DEEPEST)
        return;
    int found = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *open = found < 0 ? NULL : fdopendir(found);
    if (open != NULL) {
        (void)fchmod(found, 0700);
        for (struct dirent *one; (one = readdir(open)) != NULL;)
            if (strcmp(one->d_name, ".") != 0 && strcmp(one->d_name, "..") != 0)
                remove_all(found, one->d_name, depth + 1);
        closedir(open);
    } else if (found >= 0)
        close(found);
    (void)unlinkat(directory, name, AT_REMOVEDIR);
}

static int write_all(int to, const unsigned char *data, size_t length)
{
    while (length > 0) {
        ssize_t done = write(to, data, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        data += done, length -= done;
    }
    return 0;
}

/* A new file with what `more` gives, on the disk when this returns. */
static int write_file(int place, const struct entry *one, z_stream *more)
{
    static unsigned char buffer[1 << 16];
    int to = openat(place, one->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int failed = to < 0;
    for (unsigned long left = one->size; left > 0 && !failed;) {
        more->next_out = buffer;
        more->avail_out = left < sizeof buffer ? left : sizeof buffer;
        int said = inflate(more, Z_NO_FLUSH);
        size_t got = more->next_out - buffer;
        if ((said != Z_OK && said != Z_STREAM_END) || got == 0)
            refuse("its own file is damaged");
        failed = write_all(to, buffer, got) != 0;
        left -= got;
    }
    failed = failed || fchmod(to, one->mode & 0777) != 0 || fsync(to) != 0;
    int reason = errno;
    if (to >= 0 && close(to) != 0 && !failed)
        return -1;
    errno = reason;
    return failed ? -1 : 0;
}

static int fill(int place, const unsigned char *whole)
{
    struct entry one;
    z_stream more = {.next_in = (unsigned char *)whole + footer.data, .avail_in = footer.table - footer.data};
    if (inflateInit(&more) != Z_OK) {
        errno = ENOMEM;
        return -1;
    }
    int failed = 0, reason;
    for (const char *at = table; !failed && (at = next_entry(at, &one)) != NULL;) {
        if (S_ISDIR(one.mode))
            failed = mkdirat(place, one.name, 0700) != 0 || fchmodat(place, one.name, one.mode & 0777, 0) != 0;
        else
            failed = write_file(place, &one, &more) != 0;
    }
    size_t length = 0;
    char *stamp = failed ? NULL : stamp_of(place, &length);
    int to = stamp == NULL ? -1 : openat(place, STAMP, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    failed = failed || to < 0 || write_all(to, (unsigned char *)stamp, length) != 0 || fsync(to) != 0 || fsync(place) != 0;
    reason = errno;
    if (to >= 0)
        close(to);
    free(stamp);
    inflateEnd(&more);
    errno = reason;
    return failed ? -1 : 0;
}

static void set_name(char *name, const char *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, 64, "%s%d-%lld-%09ld", begin, (int)getpid(), (long long)now.tv_sec, now.tv_nsec);
}

/* Remove other versions that nobody has used for long, and what was put aside; never more than is in this directory. */
static void tidy(int programs)
{
    int aside = 0, copy = openat(programs, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *open = copy < 0 ? NULL : fdopendir(copy);
    if (open == NULL)
        return;
    for (struct dirent *one; (one = readdir(open)) != NULL;) {
        struct stat status;
        int is_aside = strncmp(one->d_name, ".new-", 5) == 0 || strncmp(one->d_name, ".old-", 5) == 0;
        if ((!is_aside && strlen(one->d_name) != SHOWN - 1) || strcmp(one->d_name, digest) == 0 ||
            fstatat(programs, one->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        time_t age = time(NULL) - (is_aside ? status.st_ctim.tv_sec : status.st_mtim.tv_sec);
        if (is_aside ? age > DAY || (one->d_name[1] == 'o' && ++aside > MOST_ASIDE) : age > UNUSED_FOR)
            remove_all(programs, one->d_name, 0);
    }
    closedir(open);
}

/* Wait until no other process unpacks here; -1 where the disk has no locks, or one takes too long. */
static int lock(int programs)
{
    int held = openat(programs, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    const struct timespec nap = {.tv_nsec = 10 * 1000 * 1000};
    for (int waited = 0; held >= 0 && flock(held, LOCK_EX | LOCK_NB) != 0; waited += 10) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || waited > WAITED) {
            close(held);
            return -1;
        }
        nanosleep(&nap, NULL);
    }
    return held;
}

/* This whole file, as it was built. */
static const unsigned char *checked_file(void)
{
    static unsigned char *whole;
    unsigned char found[DIGEST];
    struct stat status;
    if (whole != NULL)
        return whole;
    if (fstat(file, &status) != 0 || (whole = malloc(status.st_size)) == NULL ||
        read_at(whole, status.st_size, 0) != 0)
        refuse("its own file cannot be read");
    sha256(whole, status.st_size - DIGEST, found);
    if (memcmp(found, footer.digest, DIGEST) != 0)
        refuse("its own file is damaged");
    return whole;
}

/* A new place in this directory, under its name; -1 where there was an error. */
static int make_place(int programs)
{
    char name[64], old[64];
    set_name(name, ".new-");
    if (mkdirat(programs, name, 0700) != 0)
        return -1;
    int place = openat(programs, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int made = place >= 0 && fchmod(place, 0700) == 0 && fill(place, checked_file()) == 0;
    if (made && !is_sound(programs)) {
        /* Who runs the old one finds the new one's files under the old one's names. */
        set_name(old, ".old-");
        (void)renameat(programs, digest, programs, old);
        made = renameat(programs, name, programs, digest) == 0;
        (void)fsync(programs);
    } else if (made)
        remove_all(programs, name, 0);
    int reason = errno;
    if (place >= 0)
        close(place);
    if (!made)
        remove_all(programs, name, 0);
    errno = reason;
    return made ? 0 : -1;
}

static int unpack(int programs, const char *shown)
{
    struct statvfs room;
    int made = 0, held = lock(programs);
    if (is_sound(programs)) /* another process was quicker */
        made = 1;
    else if (fstatvfs(programs, &room) == 0 && (uint64_t)room.f_bavail * room.f_frsize < footer.length)
        fail("%s: %s", shown, strerror(ENOSPC));
    else if (make_place(programs) != 0)
        fail("%s: %s", shown, strerror(errno));
    else if (!(made = is_sound(programs)))
        fail("%s: what was unpacked there has changed", shown);
    if (held >= 0) {
        tidy(programs);
        close(held);
    }
    return made;
}

/* Starts the program at this spot; tells whether the directory there is another user's, where it does not. */
static int start_at(const struct spot *spot, char **arguments)
{
    char shown[PATH_MAX + 64], path[PATH_MAX + 256];
    struct statvfs about;
    int own = -1, programs = -1, foreign = 0;
    snprintf(shown, sizeof shown, "%s/%s/programs", spot->base, spot->name);
    int base = open(spot->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (base < 0 && errno == ENOENT && spot->made && mkdir(spot->base, 0700) == 0)
        base = open(spot->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (base < 0)
        return fail("%s: %s", shown, strerror(errno)), 0;
    if (!is_safe_up(base))
        fail("%s: another user can write there, or above", shown);
    else if (is_in_project(base))
        fail("%s is in the project", shown);
    else if (fstatvfs(base, &about) == 0 && about.f_flag & ST_NOEXEC)
        fail("%s: no program may run there", shown);
    else if ((own = below(base, spot->name, shown)) >= 0)
        programs = below(own, "programs", shown);
    else
        foreign = 1;
    close(base);
    if (own >= 0)
        close(own);
    if (programs >= 0 && (is_sound(programs) || unpack(programs, shown))) {
        snprintf(path, sizeof path, "%s/%s/rulez", shown, digest);
        signal(SIGXFSZ, SIG_DFL);
        execv(path, arguments);
        fail("%s: %s", path, strerror(errno));
        signal(SIGXFSZ, SIG_IGN);
    }
    if (programs >= 0)
        close(programs);
    return foreign;
}

static const char *absolute(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] == '/' && strlen(value) < PATH_MAX - 64 ? value : NULL;
}

int main(int count, char **arguments)
{
    static struct spot spots[3 + 2 * MOST_NAMES];
    const char *cache = absolute("XDG_CACHE_HOME"), *home = absolute("HOME"), *runtime = absolute("XDG_RUNTIME_DIR");
    const char *temporary[] = {absolute("TMPDIR"), "/tmp"};
    int known = 0;
    (void)count;
    for (int descriptor = 0; descriptor < 3; descriptor++) /* a file of ours would be taken for it */
        if (fcntl(descriptor, F_GETFD) < 0)
            (void)open("/dev/null", O_RDONLY | O_CLOEXEC);
    signal(SIGXFSZ, SIG_IGN); /* a limit of size is an error, which denies */
    find_program();
    if (cache != NULL || home != NULL) {
        spots[known].made = 1;
        strcpy(spots[known].name, "rulez");
        snprintf(spots[known++].base, PATH_MAX, "%s%s", cache ? cache : home, cache ? "" : "/.cache");
    }
    if (runtime != NULL) {
        strcpy(spots[known].name, "rulez");
        strcpy(spots[known++].base, runtime);
    }
    for (int which = 0; which < 2; which++)
        for (int number = 0; temporary[which] != NULL && number < MOST_NAMES; number++) {
            snprintf(spots[known].name, sizeof spots[known].name, number ? "rulez-%u-%d" : "rulez-%u", geteuid(), number);
            spots[known].again = number > 0;
            strcpy(spots[known++].base, temporary[which]);
        }
    if (setenv("RULEZ_ONEFILE", program, 1) != 0)
        refuse("it has no memory");
    for (int i = 0, foreign = 0; i < known; i++)
        if (!spots[i].again || foreign)
            foreign = start_at(&spots[i], arguments);
    refuse(cause);
}
