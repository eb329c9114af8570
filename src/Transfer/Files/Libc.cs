using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>Linux system calls for which .NET has no API: files without a name, and names that are looked up from an open directory.</summary>
[SupportedOSPlatform("linux")]
internal static partial class Libc
{
    public const int NoSuchEntry = 2; // ENOENT
    public const int Exists = 17; // EEXIST
    public const int NotAFolder = 20; // ENOTDIR
    public const int TooManyLinks = 40; // ELOOP

    private const int NoAccess = 13; // EACCES
    private const int NotPermitted = 1; // EPERM
    private const int CurrentFolder = -100; // AT_FDCWD
    private const int FollowLinks = 0x400; // AT_SYMLINK_FOLLOW
    private const uint NoReplace = 1; // RENAME_NOREPLACE
    private const int EmptyPath = 0x1000; // AT_EMPTY_PATH
    private const int DoNotFollowLinks = 0x100; // AT_SYMLINK_NOFOLLOW
    private const uint TypeAndMode = 3; // STATX_TYPE | STATX_MODE
    private const uint SizeAndTime = 0x240; // STATX_MTIME | STATX_SIZE
    private const uint Identity = 0x100 | 8 | 4; // STATX_INO | STATX_UID | STATX_NLINK
    private const uint UserAndGroup = 8 | 0x10; // STATX_UID | STATX_GID
    private const uint ChangeAndInode = 0x80 | 0x100 | 4; // STATX_CTIME | STATX_INO | STATX_NLINK
    private const int StatxBytes = 256;
    private const int StatxLinks = 16;
    private const int StatxOwner = 20;
    private const int StatxGroup = 24;
    private const int StatxInode = 32;
    private const int StatxSize = 40;
    private const int StatxChanged = 96; // as StatxModified
    private const int StatxModified = 112; // seconds in 64 bits, then nanoseconds in 32
    private const int StatxDevice = 136; // two numbers of 32 bits
    private const int StatxMode = 28; // the offset of the mode, which is the same on every processor, unlike in stat

    private const int Sequential = 2; // POSIX_FADV_SEQUENTIAL

    private const int ReadWrite = 2;
    private const int Create = 0x40; // O_CREAT
    private const int ExclusiveNow = 2 | 4; // LOCK_EX | LOCK_NB
    private const int NonBlocking = 0x800;
    private const int CloseOnExec = 0x80000;
    private const int PathOnly = 0x200000; // O_PATH

    // Values of asm-generic/fcntl.h. On ARM and POWER, these two are swapped.
    private static readonly bool IsArm = RuntimeInformation.ProcessArchitecture is Architecture.Arm or Architecture.Armv6 or Architecture.Arm64 or Architecture.Ppc64le;
    private static readonly int FolderOnly = IsArm ? 0x4000 : 0x10000; // O_DIRECTORY
    private static readonly int NoLink = IsArm ? 0x8000 : 0x20000; // O_NOFOLLOW
    private static readonly int Unnamed = 0x400000 | FolderOnly; // O_TMPFILE

    /// <summary>Gets a value that indicates whether names can be looked up from an open directory by their paths too.</summary>
    public static bool HasProc { get; } = OperatingSystem.IsLinux() && Directory.Exists("/proc/self/fd");

    /// <summary>Gets a path for an open handle.</summary>
    public static string GetPath(SafeFileHandle handle) => $"/proc/self/fd/{handle.DangerousGetHandle()}";

    /// <summary>Opens a directory to look up names from it. Links in the path are followed.</summary>
    /// <returns>An invalid handle if it fails, with the reason in <see cref="LastError"/>.</returns>
    public static SafeFileHandle OpenFolder(string path) => new(OpenAt(CurrentFolder, path, PathOnly | FolderOnly | CloseOnExec, 0), ownsHandle: true);

    /// <summary>Opens a directory in an open directory, unless it is a link.</summary>
    public static SafeFileHandle OpenFolder(SafeFileHandle folder, string name)
        => new(OpenAt(folder, name, PathOnly | FolderOnly | NoLink | CloseOnExec, 0), ownsHandle: true);

    /// <summary>Creates a directory in an open directory.</summary>
    public static bool TryMakeFolder(SafeFileHandle folder, string name) => MakeFolderAt(folder, name, 0x1FF) == 0;

    /// <summary>Creates a file without a name in an open directory, with the permissions that the process gives to new files.</summary>
    public static SafeFileHandle OpenUnnamed(SafeFileHandle folder) => new(OpenAt(folder, ".", Unnamed | ReadWrite | CloseOnExec, 0x1B6), ownsHandle: true);

    /// <summary>Opens a file for reading. It doesn't wait for the writer of a pipe.</summary>
    public static SafeFileHandle OpenToRead(string path) => new(OpenAt(CurrentFolder, path, NonBlocking | NoControllingTerminal | CloseOnExec, 0), ownsHandle: true);

    /// <summary>Opens a file in an open directory for reading, unless it is a link.</summary>
    public static SafeFileHandle OpenToRead(SafeFileHandle folder, string name) => new(OpenAt(folder, name, NonBlocking | NoLink | CloseOnExec, 0), ownsHandle: true);

    /// <summary>Opens a file in an open directory for reading and writing, unless it is a link, or creates one that only its owner can access.</summary>
    public static SafeFileHandle OpenOwn(SafeFileHandle folder, string name, bool create)
        => new(OpenAt(folder, name, ReadWrite | NoLink | NonBlocking | CloseOnExec | (create ? Create : 0), 0x180), ownsHandle: true);

    /// <summary>Locks an open file exclusively for this handle, until the handle is closed.</summary>
    public static bool TryLock(SafeFileHandle file) => Lock(file, ExclusiveNow) == 0;

    /// <summary>
    /// Returns whether only the user of this process can have written an open file: it is a regular file that the user owns, no other user can open
    /// it, and it has no other name.
    /// </summary>
    /// <param name="file">The open file.</param>
    /// <param name="canBeShared">Whether other users can open it, because its content isn't trusted.</param>
    public static bool IsOwnAlone(SafeFileHandle file, bool canBeShared = false)
    {
        const UnixFileMode others = (UnixFileMode)0x3F;
        Span<byte> buffer = stackalloc byte[StatxBytes];
        if (Statx(file, string.Empty, EmptyPath, TypeAndMode | Identity, ref MemoryMarshal.GetReference(buffer)) != 0)
        {
            return false;
        }

        FileKind kind = new(MemoryMarshal.Read<ushort>(buffer[StatxMode..]));
        return kind.IsRegularFile
            && (canBeShared || (kind.Mode & others) == 0)
            && MemoryMarshal.Read<uint>(buffer[StatxLinks..]) == 1
            && MemoryMarshal.Read<uint>(buffer[StatxOwner..]) == EffectiveUser();
    }

    /// <summary>Gets the kind and the owner of an open file.</summary>
    /// <returns>Null if the system doesn't tell.</returns>
    public static (FileKind Kind, FileOwner Owner)? GetAttributes(SafeFileHandle file)
    {
        Span<byte> buffer = stackalloc byte[StatxBytes];
        return Statx(file, string.Empty, EmptyPath, TypeAndMode | UserAndGroup, ref MemoryMarshal.GetReference(buffer)) != 0
            ? null
            : (new FileKind(MemoryMarshal.Read<ushort>(buffer[StatxMode..])), new FileOwner(MemoryMarshal.Read<uint>(buffer[StatxOwner..]), MemoryMarshal.Read<uint>(buffer[StatxGroup..])));
    }

    /// <summary>Changes the owner of an open file, if the process is allowed to do that.</summary>
    /// <exception cref="IOException">Thrown when it fails for another reason.</exception>
    public static void ChangeOwner(SafeFileHandle file, FileOwner owner)
    {
        if (ChangeOwner(file, owner.User, owner.Group) != 0 && LastError != NotPermitted)
        {
            throw Failed("The owner of the file could not be changed");
        }
    }

    /// <summary>Returns whether a path refers to an open file. A link isn't followed.</summary>
    public static bool IsAt(SafeFileHandle file, string path)
    {
        Span<byte> open = stackalloc byte[StatxBytes];
        Span<byte> named = stackalloc byte[StatxBytes];
        return Statx(file, string.Empty, EmptyPath, Identity, ref MemoryMarshal.GetReference(open)) == 0
            && Statx(CurrentFolder, path, DoNotFollowLinks, Identity, ref MemoryMarshal.GetReference(named)) == 0
            && open.Slice(StatxInode, sizeof(ulong)).SequenceEqual(named.Slice(StatxInode, sizeof(ulong)))
            && open.Slice(StatxDevice, sizeof(ulong)).SequenceEqual(named.Slice(StatxDevice, sizeof(ulong)));
    }

    /// <summary>Advises the system that an open file is read from its beginning to its end, so that it reads further ahead.</summary>
    public static void ReadsInOrder(SafeFileHandle file)
    {
        if (Environment.Is64BitProcess)
        {
            _ = Advise(file, 0, 0, Sequential); // on 32-bit processors, the arguments have another size
        }
    }

    /// <summary>Gives an open file a name, unless the name exists.</summary>
    public static bool TryLink(SafeFileHandle file, SafeFileHandle folder, string name) => LinkAt(CurrentFolder, GetPath(file), folder, name, FollowLinks) == 0;

    /// <summary>Gives a file another name, unless that exists. A link isn't followed.</summary>
    public static bool TryLink(string path, SafeFileHandle folder, string name) => LinkAt(CurrentFolder, path, folder, name, 0) == 0;

    /// <summary>Renames a file, unless the new name exists: the kernel looks and renames in one step (renameat2(2)).</summary>
    /// <returns><see langword="false"/> if the name exists, or if the file system or the C library can't do that.</returns>
    public static bool TryRenameNew(string path, SafeFileHandle folder, string name)
    {
        try
        {
            return RenameAt2(CurrentFolder, path, folder, name, NoReplace) == 0;
        }
        catch (EntryPointNotFoundException)
        {
            return false; // musl
        }
    }

    /// <summary>Gets the kind of the entry at a path, following links or not.</summary>
    public static FileKind GetKind(string path, bool followsLinks)
    {
        Span<byte> buffer = stackalloc byte[StatxBytes];
        return Statx(CurrentFolder, path, followsLinks ? 0 : DoNotFollowLinks, TypeAndMode, ref MemoryMarshal.GetReference(buffer)) == 0 ? new FileKind(MemoryMarshal.Read<ushort>(buffer[StatxMode..])) : default;
    }

    /// <summary>Gets the kind of an open entry.</summary>
    public static FileKind GetKind(SafeFileHandle handle)
    {
        Span<byte> buffer = stackalloc byte[StatxBytes];
        return Statx(handle, string.Empty, EmptyPath, TypeAndMode, ref MemoryMarshal.GetReference(buffer)) == 0 ? new FileKind(MemoryMarshal.Read<ushort>(buffer[StatxMode..])) : default;
    }

    /// <summary>Gets what identifies the state of a regular file with one system call.</summary>
    /// <returns>Null if there is no such file, or if the system doesn't tell.</returns>
    public static FileIdentity? GetIdentity(string path, bool followsLinks)
    {
        Span<byte> buffer = stackalloc byte[StatxBytes];
        return Statx(CurrentFolder, path, followsLinks ? 0 : DoNotFollowLinks, TypeAndMode | SizeAndTime | ChangeAndInode, ref MemoryMarshal.GetReference(buffer)) == 0 ? IdentityIn(buffer) : null;
    }

    /// <summary>Gets what identifies the state of an open file with one system call.</summary>
    /// <returns>Null if it isn't a regular file, or if the system doesn't tell.</returns>
    public static FileIdentity? GetIdentity(SafeFileHandle file)
    {
        Span<byte> buffer = stackalloc byte[StatxBytes];
        return Statx(file, string.Empty, EmptyPath, TypeAndMode | SizeAndTime | ChangeAndInode, ref MemoryMarshal.GetReference(buffer)) == 0 ? IdentityIn(buffer) : null;
    }

    /// <summary>Gets the kind, the identity of a regular file, the length, and the last-write time of an entry in an open directory. A link isn't followed.</summary>
    /// <returns>No kind if there is no such entry, or if the system doesn't tell.</returns>
    public static (FileKind Kind, FileIdentity? Identity, long Length, DateTime LastWriteUtc) Look(SafeFileHandle folder, string name)
    {
        Span<byte> buffer = stackalloc byte[StatxBytes];
        return Statx(folder, name, DoNotFollowLinks, TypeAndMode | SizeAndTime | ChangeAndInode, ref MemoryMarshal.GetReference(buffer)) == 0 ? EntryIn(buffer) : default;
    }

    /// <inheritdoc cref="Look(SafeFileHandle, string)"/>
    public static (FileKind Kind, FileIdentity? Identity, long Length, DateTime LastWriteUtc) Look(string path)
    {
        Span<byte> buffer = stackalloc byte[StatxBytes];
        return Statx(CurrentFolder, path, DoNotFollowLinks, TypeAndMode | SizeAndTime | ChangeAndInode, ref MemoryMarshal.GetReference(buffer)) == 0 ? EntryIn(buffer) : default;
    }

    /// <summary>Gets what tells a file or a directory from all others.</summary>
    /// <returns>Null if there is no such entry, or if it is neither a file nor a directory.</returns>
    public static EntryId? GetEntryId(string path, bool followsLinks)
    {
        Span<byte> buffer = stackalloc byte[StatxBytes];
        return Statx(CurrentFolder, path, followsLinks ? 0 : DoNotFollowLinks, TypeAndMode | Identity, ref MemoryMarshal.GetReference(buffer)) == 0 ? EntryIdIn(buffer) : null;
    }

    /// <summary>Gets what tells a file or a directory in an open directory from all others.</summary>
    /// <returns>Null if there is no such entry, or if it is neither a file nor a directory.</returns>
    public static EntryId? GetEntryId(SafeFileHandle folder, string name, bool followsLinks)
    {
        Span<byte> buffer = stackalloc byte[StatxBytes];
        return Statx(folder, name, followsLinks ? 0 : DoNotFollowLinks, TypeAndMode | Identity, ref MemoryMarshal.GetReference(buffer)) == 0 ? EntryIdIn(buffer) : null;
    }

    private static EntryId? EntryIdIn(ReadOnlySpan<byte> buffer)
        => new FileKind(MemoryMarshal.Read<ushort>(buffer[StatxMode..])) is { IsRegularFile: true } or { IsFolder: true }
            ? new EntryId(MemoryMarshal.Read<ulong>(buffer[StatxDevice..]), MemoryMarshal.Read<ulong>(buffer[StatxInode..]))
            : null;

    private static (FileKind Kind, FileIdentity? Identity, long Length, DateTime LastWriteUtc) EntryIn(ReadOnlySpan<byte> buffer) => (
        new FileKind(MemoryMarshal.Read<ushort>(buffer[StatxMode..])),
        IdentityIn(buffer),
        MemoryMarshal.Read<long>(buffer[StatxSize..]),
        new DateTime(GetTicks(buffer[StatxModified..]), DateTimeKind.Utc));

    private static FileIdentity? IdentityIn(ReadOnlySpan<byte> buffer)
    {
        if ((MemoryMarshal.Read<uint>(buffer) & ChangeAndInode) != ChangeAndInode
            || !new FileKind(MemoryMarshal.Read<ushort>(buffer[StatxMode..])).IsRegularFile)
        {
            return null;
        }

        return new FileIdentity(
            MemoryMarshal.Read<long>(buffer[StatxSize..]),
            GetTicks(buffer[StatxModified..]),
            GetTicks(buffer[StatxChanged..]),
            MemoryMarshal.Read<ulong>(buffer[StatxInode..]))
        {
            Names = MemoryMarshal.Read<uint>(buffer[StatxLinks..]),
        };
    }

    private static long GetTicks(ReadOnlySpan<byte> time)
        => DateTime.UnixEpoch.Ticks + (MemoryMarshal.Read<long>(time) * TimeSpan.TicksPerSecond) + (MemoryMarshal.Read<uint>(time[sizeof(long)..]) / TimeSpan.NanosecondsPerTick);

    /// <summary>Gets the error of the last call.</summary>
    public static int LastError => Marshal.GetLastPInvokeError();

    /// <summary>Creates the exception for the error of the last call, as .NET would throw it.</summary>
    public static Exception Failed(string what) => Failed(what, LastError);

    /// <summary>Creates the exception for an error, as .NET would throw it.</summary>
    public static Exception Failed(string what, int error)
    {
        string message = $"{what}: {Marshal.GetPInvokeErrorMessage(error)}";
        return error is NoAccess or NotPermitted ? new UnauthorizedAccessException(message) : new IOException(message, error);
    }

    [LibraryImport("libc", EntryPoint = "openat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint OpenAt(int folder, string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "openat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint OpenAt(SafeFileHandle folder, string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "posix_fadvise")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Advise(SafeFileHandle file, nint offset, nint length, int advice);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Lock(SafeFileHandle file, int operation);

    [LibraryImport("libc", EntryPoint = "fchown", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int ChangeOwner(SafeFileHandle file, uint user, uint group);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial uint EffectiveUser();

    [LibraryImport("libc", EntryPoint = "mkdirat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int MakeFolderAt(SafeFileHandle folder, string path, uint mode);

    [LibraryImport("libc", EntryPoint = "linkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int LinkAt(int oldFolder, string oldPath, SafeFileHandle newFolder, string newPath, int flags);

    [LibraryImport("libc", EntryPoint = "renameat2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int RenameAt2(int oldFolder, string oldPath, SafeFileHandle newFolder, string newPath, uint flags);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Statx(int folder, string path, int flags, uint mask, ref byte buffer);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Statx(SafeFileHandle folder, string path, int flags, uint mask, ref byte buffer);
}
