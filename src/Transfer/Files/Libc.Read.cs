using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Files;

/// <summary>The calls that open a path without disturbing what is there, and that wait for a pipe or a device without being stuck in it.</summary>
internal static partial class Libc
{
    public const int TryAgain = 11; // EAGAIN, EWOULDBLOCK

    private const int Interrupted = 4; // EINTR
    private const int NoControllingTerminal = 0x100; // O_NOCTTY
    private const int SharedNow = 1 | 4; // LOCK_SH | LOCK_NB
    private const int Unlocked = 8; // LOCK_UN
    private const int FromEnd = 2; // SEEK_END
    private const short Readable = 1; // POLLIN

    /// <summary>Gets a handle for what is under a path without opening it: nobody at the other end of a pipe, and no device, notices.</summary>
    public static SafeFileHandle OpenPath(string path) => new(OpenAt(CurrentFolder, path, PathOnly | CloseOnExec, 0), ownsHandle: true);

    /// <summary>Gets a handle for what has a name in an open folder without opening it; of a link, for the link itself.</summary>
    public static SafeFileHandle OpenPath(SafeFileHandle folder, string name) => new(OpenAt(folder, name, PathOnly | NoLink | CloseOnExec, 0), ownsHandle: true);

    /// <summary>Opens what <see cref="OpenPath(string)"/> found to read it, whatever has its name by now. Needs <see cref="HasProc"/>.</summary>
    public static SafeFileHandle Reopen(SafeFileHandle path) => OpenToRead(PathOf(path));

    /// <summary>Locks an open file for reading, until it is unlocked or closed.</summary>
    /// <returns>False only if somebody has it open for exclusive writing. File systems that have no locks, or refuse them, are no reason not to read.</returns>
    public static bool TryLockShared(SafeFileHandle file)
    {
        int error;
        do
        {
            error = Lock(file, SharedNow) == 0 ? 0 : LastError;
        }
        while (error == Interrupted);
        return error != TryAgain;
    }

    /// <summary>Gives a lock back. Closing the handle does that only when no child process that is being started has it, too.</summary>
    public static void Unlock(SafeFileHandle file) => _ = Lock(file, Unlocked);

    /// <summary>Gets the offset of the end: the length of a block device, for example, which has none otherwise.</summary>
    /// <returns>Null if there is none, or none that this process's numbers can hold.</returns>
    public static long? EndOf(SafeFileHandle file) => Seek(file, 0, FromEnd) is >= 0 and var end ? end : null;

    /// <summary>Reads at an offset, wherever the file's position is.</summary>
    /// <returns>The number of bytes; -1 if it fails, and then why is in <see cref="LastError"/>.</returns>
    public static int ReadAt(SafeFileHandle file, Span<byte> buffer, long offset)
        => (int)PRead(file, ref MemoryMarshal.GetReference(buffer), (nuint)buffer.Length, (nint)offset);

    /// <summary>Reads what comes next.</summary>
    /// <returns>The number of bytes, 0 at the end; -1 if it fails, and then why is in <see cref="LastError"/>.</returns>
    public static int ReadNext(SafeFileHandle file, Span<byte> buffer)
    {
        nint count;
        do
        {
            count = Read(file, ref MemoryMarshal.GetReference(buffer), (nuint)buffer.Length);
        }
        while (count < 0 && LastError == Interrupted);
        return (int)count;
    }

    /// <summary>Makes an event that <see cref="WaitToRead"/> can wait for.</summary>
    public static SafeFileHandle OpenEvent() => new(EventFd(0, CloseOnExec | NonBlocking), ownsHandle: true);

    /// <summary>Sets an event for good.</summary>
    public static void Set(SafeFileHandle signal)
    {
        ulong one = 1;
        _ = Write(signal, ref one, sizeof(ulong));
    }

    /// <summary>Waits until there is something to read, an end, or an error; holds the calling thread.</summary>
    /// <returns>False if the event was set.</returns>
    public static bool WaitToRead(SafeFileHandle file, SafeFileHandle signal)
    {
        Span<PollEntry> entries = stackalloc PollEntry[2];
        int result;
        do
        {
            entries[0] = new PollEntry((int)file.DangerousGetHandle(), Readable);
            entries[1] = new PollEntry((int)signal.DangerousGetHandle(), Readable);
            result = Poll(ref MemoryMarshal.GetReference(entries), (nuint)entries.Length, -1);
        }
        while (result < 0 && LastError == Interrupted);
        return result < 0 ? throw Failed("Waiting for data failed") : entries[1].Happened == 0;
    }

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Seek(SafeFileHandle file, nint offset, int from);

    [LibraryImport("libc", EntryPoint = "pread", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint PRead(SafeFileHandle file, ref byte buffer, nuint count, nint offset);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Read(SafeFileHandle file, ref byte buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Write(SafeFileHandle file, ref ulong value, nuint count);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int EventFd(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Poll(ref PollEntry entries, nuint count, int timeout);

    [StructLayout(LayoutKind.Sequential)]
    private readonly struct PollEntry(int file, short wanted)
    {
        public readonly int File = file;
        public readonly short Wanted = wanted;
        public readonly short Happened;
    }
}
