// The runtime of a native file writes the tables of all types at its start, because only then their addresses are known. These are 9 MB, and 2,200 page faults,
// which take as long as the writing. In huge pages, they are a tenth of that. Linked into the native file on Linux, and run before the runtime.
// Where the kernel has no huge pages, or none is free, nothing changes.

#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int use_huge_pages(struct dl_phdr_info *file, size_t size, void *unused)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < file->dlpi_phnum; i++)
    {
        // The tables are in the memory of the writable segment that isn't in the file.
        const ElfW(Phdr) *segment = &file->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) != 0)
        {
            uintptr_t start = file->dlpi_addr + segment->p_vaddr;
            uintptr_t first = (start + segment->p_filesz + page - 1) & ~(page - 1);
            uintptr_t end = (start + segment->p_memsz) & ~(page - 1);
            if (first < end)
            {
                (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
            }
        }
    }

    (void)size;
    (void)unused;
    return 1; // the first file is the program, and the others are libraries
}

__attribute__((constructor)) static void start(void)
{
    (void)dl_iterate_phdr(use_huge_pages, NULL);
}
