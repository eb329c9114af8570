using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>Functions that open a path without side effects, and that wait for a pipe or a device without blocking in a read.</summary>
internal static partial class Libc
{
    public const int TryAgain = 11; // EAGAIN, EWOULDBLOCK

    private const int Interrupted = 4; // EINTR
    private const int NoControllingTerminal = 0x100; // O_NOCTTY
    private const int SharedNow = 1 | 4; // LOCK_SH | LOCK_NB
    private const int Unlocked = 8; // LOCK_UN
    private const int FromEnd = 2; // SEEK_END
    private const short Readable = 1; // POLLIN

    /// <summary>Gets a handle for a path without opening the entry, so that neither the other end of a pipe nor a device notices.</summary>
    public static SafeFileHandle OpenPath(string path) => new(OpenAt(CurrentFolder, path, PathOnly | CloseOnExec, 0), ownsHandle: true);

    /// <summary>Gets a handle for a name in an open directory without opening the entry. For a link, it is a handle for the link itself.</summary>
    public static SafeFileHandle OpenPath(SafeFileHandle folder, string name) => new(OpenAt(folder, name, PathOnly | NoLink | CloseOnExec, 0), ownsHandle: true);

    /// <summary>
    /// Opens the entry of an <see cref="OpenPath(string)"/> handle for reading, even if its name now belongs to another entry. Requires <see cref="HasProc"/>.
    /// </summary>
    public static SafeFileHandle Reopen(SafeFileHandle path) => OpenToRead(GetPath(path));

    /// <summary>Locks an open file for reading, until it is unlocked or closed.</summary>
    /// <returns>False only if the file is open for exclusive writing. File systems that don't support locks don't prevent reading.</returns>
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

    /// <summary>Releases a lock. Closing the handle releases it only if no child process that is being started has inherited it.</summary>
    public static void Unlock(SafeFileHandle file) => _ = Lock(file, Unlocked);

    /// <summary>Gets the offset of the end, for example to determine the length of a block device.</summary>
    /// <returns>Null if there is none, or if it can't be represented.</returns>
    public static long? GetEnd(SafeFileHandle file) => Seek(file, 0, FromEnd) is >= 0 and var end ? end : null;

    /// <summary>Reads at an offset, regardless of the position of the file.</summary>
    /// <returns>The number of bytes; -1 if it fails, with the reason in <see cref="LastError"/>.</returns>
    public static int ReadAt(SafeFileHandle file, Span<byte> buffer, long offset)
        => (int)PRead(file, ref MemoryMarshal.GetReference(buffer), (nuint)buffer.Length, (nint)offset);

    /// <summary>Reads at the position of the file.</summary>
    /// <returns>The number of bytes, 0 at the end; -1 if it fails, with the reason in <see cref="LastError"/>.</returns>
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

    /// <summary>Creates an event that <see cref="WaitToRead"/> can wait for.</summary>
    public static SafeFileHandle OpenEvent() => new(EventFd(0, CloseOnExec | NonBlocking), ownsHandle: true);

    /// <summary>Sets an event permanently.</summary>
    public static void Set(SafeFileHandle signal)
    {
        ulong one = 1;
        _ = Write(signal, ref one, sizeof(ulong));
    }

    /// <summary>Waits for data, the end, or an error. It blocks the calling thread.</summary>
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
