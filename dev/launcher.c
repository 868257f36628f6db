/* Starts the frozen program on Linux: PyInstaller's way to start it, without its second start of itself.

   PyInstaller's bootloader starts itself anew to set LD_LIBRARY_PATH, and asks for more than rulez needs; that takes a
   tenth of a hook call. This program finds its libraries by its RPATH instead. Behind its own code stand the archive of
   modules, the code of dev/frozen_entry.py, and two numbers that say where they begin.

   Python is a part of it where the Python that builds it has a library to be linked with: code that need not be in any
   place in memory runs faster by a sixth. Otherwise it loads Python's shared library.

   Whatever goes wrong before Python runs denies: exit 2 and a text block on every agent.

   For a hook call it does not ask for the machine's locale, which takes reading several files: agents write UTF-8, in
   names of files as well. So of Python's `encodings`, which it looks for in all its directories before anything else, a
   call needs those few modules that are in here.

   Where one file has unpacked this program (dev/onefile.c), RULEZ_ONEFILE says where that file is. Python gets it as
   `sys._onefile` and no other program does; rulez_py/system/onefile.py believes it only where the file is that one.

   The modules that most calls need are data of this program (dev/code_data.py), with PIECES: of the archive then nothing
   is read, checked and made anew for them. `sys._piece` gives dev/frozen_entry.py what is at a place of the archive.

   dev/rulez.spec compiles it with EXTENSIONS, where Python's own compiled modules lie, and LIBRARY, the file name of
   Python's shared library where it is to be loaded; both in _internal, beside the program. ENCODINGS is a header with the
   code of those modules: `ENCODED`. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <marshal.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "own_path.h"
#include ENCODINGS

#ifdef PIECES
#include <malloc.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#define QUICKENING_INITIAL_WARMUP_VALUE -8 /* calls until Python adapts a function to what it gets */

extern int _PyStaticCode_InternStrings(PyCodeObject *);

struct set {
    PyObject **slot, *members;
};
struct piece {
    long long at;
    PyObject *whole; /* names of modules, and their codes */
    const struct set *sets;
    void *const *codes;
    char *start, *stop;
};

#include PIECES

/* Memory that nearly every call uses, asked for at once: the kernel takes longer to give it page by page, each when it is
   first touched. It is advice: where the kernel cannot, all is as without. Python's arenas are in pages of 2 MB, where
   there is memory enough that the kernel need not make room for one. */
#define HUGE_PAGE ((size_t)2 << 20)
#define ARENAS (2 * HUGE_PAGE)
#define HEAP ((size_t)560 << 10)
#define ENOUGH ((uint64_t)256 << 20)

extern char __data_start[];
static char *arenas, *arenas_end;

static void *arena(void *context, size_t size)
{
    (void)context;
    if ((size_t)(arenas_end - arenas) >= size) {
        arenas += size;
        return arenas - size;
    }
    void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return found == MAP_FAILED ? NULL : found;
}

static void free_arena(void *context, void *place, size_t size)
{
    (void)context;
    (void)munmap(place, size);
}

static void touch(char *from, char *to)
{
    uintptr_t begin = (uintptr_t)from & ~(uintptr_t)4095;
    (void)madvise((void *)begin, (uintptr_t)to - begin, MADV_POPULATE_WRITE);
}

static void prepare_memory(void)
{
    struct sysinfo machine;
    if (sysinfo(&machine) == 0 && (uint64_t)machine.freeram * machine.mem_unit >= ENOUGH) {
        char *all = mmap(NULL, ARENAS + HUGE_PAGE, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all != MAP_FAILED) {
            arenas = (char *)(((uintptr_t)all + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
            arenas_end = arenas + ARENAS;
            (void)madvise(arenas, ARENAS, MADV_HUGEPAGE);
            PyObjectArenaAllocator own = {NULL, arena, free_arena};
            PyObject_SetArenaAllocator(&own);
        }
    }
    char *data_end = pieces[0].start; /* Python's data; that of the pieces is behind it. */
    for (const struct piece *one = pieces; one->whole != NULL; one++)
        data_end = one->start < data_end ? one->start : data_end;
    touch(__data_start, data_end);
    (void)mallopt(M_TOP_PAD, 2 * HEAP);
    char *first = malloc(1);
    if (first != NULL)
        touch(first, first + HEAP);
}

/* What lies at that place of the archive; None where it is only there. */
static PyObject *piece(PyObject *self, PyObject *at)
{
    long long wanted = PyLong_AsLongLong(at);
    const struct piece *one = pieces;
    while (one->whole != NULL && one->at != wanted)
        one++;
    if (one->whole == NULL)
        Py_RETURN_NONE;
    touch(one->start, one->stop); /* Python counts who uses an object in the object. */
    for (const struct set *set = one->sets; set->slot != NULL; set++)
        if (*set->slot == NULL && (*set->slot = PyFrozenSet_New(set->members)) == NULL)
            return NULL;
    for (void *const *code = one->codes; *code != NULL; code++)
        if (_PyStaticCode_InternStrings(*code) < 0)
            return NULL;
    return Py_NewRef(one->whole);
}

static PyMethodDef piece_method = {"_piece", piece, METH_O, NULL};
#endif

#define FUNCTIONS(of)                                                                                                  \
    of(PyConfig_InitIsolatedConfig) of(PyConfig_SetBytesArgv) of(PyConfig_SetBytesString) of(PyDict_SetItemString)     \
    of(PyErr_Print) of(PyEval_EvalCode) of(PyImport_AddModule) of(PyMarshal_ReadObjectFromString)                      \
    of(PyModule_GetDict) of(PyPreConfig_InitIsolatedConfig) of(PyStatus_Exception) of(PySys_SetObject)                 \
    of(PyUnicode_DecodeFSDefault) of(PyWideStringList_Append) of(Py_DecodeLocale) of(Py_FinalizeEx)                    \
    of(Py_InitializeFromConfig) of(Py_PreInitialize) of(PyImport_FrozenModules)

#define DECLARED(name) __typeof__(&name) name;
#define LINKED(name) .name = &name,
#ifdef LIBRARY
static struct {
    FUNCTIONS(DECLARED)
} python;
#else
static const struct {
    FUNCTIONS(DECLARED)
} python = {FUNCTIONS(LINKED)};
#endif

static char program[4096], internal[4096 + 16], text[2 * 4096];

static void refuse(const char *cause)
{
    char said[256];
    int length = snprintf(said, sizeof said, "Blocked: rulez cannot start: %s. Instead: install rulez again.\n", cause);
    if (write(2, said, length) < 0)
        _exit(2);
    _exit(2);
}

static void check(PyStatus status)
{
    if (python.PyStatus_Exception(status))
        refuse(status.err_msg ? status.err_msg : "Python does not start");
}

/* Where this program lies, as the kernel says. */
static void find_program(void)
{
    if (own_path(program, sizeof program) != 0)
        refuse("its own file is not found");
    snprintf(internal, sizeof internal, "%.*s/_internal", (int)(strrchr(program, '/') - program), program);
}

/* Whether it lies where one file unpacks itself, programs/DIGEST: elsewhere nobody is believed who says so. */
static int is_unpacked(void)
{
    const char above[] = "/programs/";
    const char *end = strrchr(program, '/') - 64 - (sizeof above - 1);
    return end >= program && memcmp(end, above, sizeof above - 1) == 0;
}

static void load_python(void)
{
#ifdef LIBRARY
    snprintf(text, sizeof text, "%s/" LIBRARY, internal);
    void *library = dlopen(text, RTLD_LAZY | RTLD_GLOBAL);
    if (library == NULL)
        refuse("Python's library cannot be loaded");
#define FOUND(name)                                                                                                    \
    if ((python.name = (__typeof__(&name))dlsym(library, #name)) == NULL)                                              \
        refuse("Python's library has no " #name);
    FUNCTIONS(FOUND)
#endif
}

static void add_path(PyConfig *config, const char *below)
{
    snprintf(text, sizeof text, "%s%s", internal, below);
    wchar_t *path = python.Py_DecodeLocale(text, NULL);
    if (path == NULL)
        refuse("its path cannot be read");
    check(python.PyWideStringList_Append(&config->module_search_paths, path));
}

static const struct _frozen encodings[] = {ENCODED {NULL}};

/* As PyInstaller does it: nothing outside decides what runs, and nothing is looked for but in _internal. */
static void start_python(int count, char **arguments)
{
    int is_call = count > 1 && strcmp(arguments[1], "hook") == 0;
    if (is_call) {
        *python.PyImport_FrozenModules = encodings;
#ifdef PIECES
        prepare_memory();
#endif
    }
    PyPreConfig before;
    python.PyPreConfig_InitIsolatedConfig(&before);
    before.utf8_mode = is_call ? 1 : -1;
    before.configure_locale = !is_call;
    check(python.Py_PreInitialize(&before));

    PyConfig config;
    python.PyConfig_InitIsolatedConfig(&config);
    config.site_import = 0;
    config.write_bytecode = 0;
    config.configure_c_stdio = 1;
    config.install_signal_handlers = 1;
    config.module_search_paths_set = 1;
    check(python.PyConfig_SetBytesArgv(&config, count, arguments));
    check(python.PyConfig_SetBytesString(&config, &config.program_name, program));
    check(python.PyConfig_SetBytesString(&config, &config.executable, program));
    check(python.PyConfig_SetBytesString(&config, &config.home, internal));
    add_path(&config, "/" EXTENSIONS);
    add_path(&config, "");
    check(python.Py_InitializeFromConfig(&config));
}

/* What dev/frozen_entry.py reads. */
static void tell(const char *name, const char *value)
{
    PyObject *object = python.PyUnicode_DecodeFSDefault(value);
    if (object == NULL || python.PySys_SetObject(name, object) != 0)
        refuse("Python has no memory");
}

static PyObject *entry(const char *one_file)
{
    uint64_t begins[2]; /* the archive, the code */
    struct stat status;
    int file = open(program, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0 || status.st_size < (off_t)sizeof begins)
        refuse("its own file cannot be read");
    off_t end = status.st_size - sizeof begins;
    if (pread(file, begins, sizeof begins, end) != sizeof begins || begins[1] >= (uint64_t)end || begins[0] > begins[1])
        refuse("its own file is damaged");
    size_t length = end - begins[1];
    char *code = malloc(length);
    if (code == NULL || pread(file, code, length, begins[1]) != (ssize_t)length)
        refuse("its own file cannot be read");
    close(file);
    snprintf(text, sizeof text, "%s?%llu", program, (unsigned long long)begins[0]);
    tell("_pyinstaller_pyz", text);
    tell("_MEIPASS", internal);
    if (one_file != NULL && is_unpacked())
        tell("_onefile", one_file);
#ifdef PIECES
    PyObject *function = PyCFunction_New(&piece_method, NULL);
    if (function == NULL || PySys_SetObject("_piece", function) != 0)
        refuse("Python has no memory");
#endif
    PyObject *read = python.PyMarshal_ReadObjectFromString(code, length);
    if (read == NULL)
        refuse("its own file is damaged");
    return read;
}

int main(int count, char **arguments)
{
    const char *one_file = getenv("RULEZ_ONEFILE");
    unsetenv("RULEZ_ONEFILE");
    find_program();
    load_python();
    start_python(count, arguments);
    PyObject *code = entry(one_file);
    PyObject *module = python.PyImport_AddModule("__main__");
    if (module == NULL)
        refuse("Python has no memory");
    PyObject *scope = python.PyModule_GetDict(module);
    if (python.PyEval_EvalCode(code, scope, scope) != NULL)
        return python.Py_FinalizeEx() < 0;
    python.PyErr_Print(); /* ends the process, where that was asked for */
    return 2;
}
