using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Files;

/// <summary>
/// A new file that gets its name when it is complete: before <see cref="Publish"/>, there is nothing under the name; afterward, there is the whole file. A file that
/// is disposed before that is deleted.
/// </summary>
/// <remarks>
/// A file whose whole content is available has no name at all before that (O_TMPFILE, open(2)) and is then linked to its name in one step, so that nothing remains
/// even if the process is killed. Other files, and all files on systems without this feature, have a hidden name in the same directory and are renamed. The name is
/// random, or one that a later run can find. Such a name is used only under a lock and, on Linux, neither published nor deleted if it belongs to another file by then.
/// </remarks>
internal sealed class AtomicFile : IDisposable
{
    private const int CopyBytes = 1 << 20;
    private const UnixFileMode Everybody = (UnixFileMode)0x1B6; // 0666

    private const UnixFileMode Everything = (UnixFileMode)0x1FF; // 0777

    private readonly LocalFolder _folder;
    private readonly string _name;
    private readonly IDisposable _file;
    private readonly SafeFileHandle? _lock;
    private string? _temporaryName;

    private AtomicFile(LocalFolder folder, string name, string? temporaryName, IDisposable file, SafeFileHandle handle, SafeFileHandle? held = null)
    {
        _folder = folder;
        _name = name;
        _temporaryName = temporaryName;
        _file = file;
        _lock = held;
        Handle = handle;
    }

    public SafeFileHandle Handle { get; }

    /// <summary>Gets or sets a value that indicates whether the incomplete file is kept under its hidden name when it is disposed, to resume it later.</summary>
    public bool IsKept { get; set; }

    /// <summary>Creates a file of <paramref name="length"/> bytes with a hidden name. Only its owner can access it.</summary>
    /// <exception cref="IOException">Thrown when there is not enough space.</exception>
    public static AtomicFile Create(LocalFolder folder, string name, long length) => Create(folder, name, HiddenFileName.Create(name), length);

    /// <summary>Creates a file under a hidden name that a later run can find. An existing file with that name is replaced.</summary>
    /// <param name="folder">The directory.</param>
    /// <param name="name">The final name.</param>
    /// <param name="id">The ID that distinguishes it from other files with the same final name.</param>
    /// <param name="length">The length, in bytes.</param>
    /// <param name="held">The open file whose lock everyone holds who uses this hidden name. It must stay open until the file is published or disposed.</param>
    /// <exception cref="IOException">Thrown when there is not enough space.</exception>
    public static AtomicFile CreateAgain(LocalFolder folder, string name, string id, long length, SafeFileHandle held)
    {
        ObjectDisposedException.ThrowIf(held.IsClosed, held);
        string temporary = HiddenFileName.OfFile(name, id);
        File.Delete(folder.GetPath(temporary));
        return Create(folder, name, temporary, length, held);
    }

    /// <summary>Opens an incomplete file that <see cref="CreateAgain"/> created in an earlier run.</summary>
    /// <param name="folder">The directory.</param>
    /// <param name="name">The final name.</param>
    /// <param name="id">The ID that distinguishes it from other files with the same final name.</param>
    /// <param name="held">The open file whose lock everyone holds who uses this hidden name. It must stay open until the file is published or disposed.</param>
    /// <returns>Null if there is none, or if other users can access it.</returns>
    public static AtomicFile? TryReopen(LocalFolder folder, string name, string id, SafeFileHandle held)
    {
        ObjectDisposedException.ThrowIf(held.IsClosed, held);
        string temporary = HiddenFileName.OfFile(name, id);
        return PrivateFile.TryOpen(folder, temporary, create: false, locked: false) is { } file ? new AtomicFile(folder, name, temporary, file, file, held) : null;
    }

    private static AtomicFile Create(LocalFolder folder, string name, string temporary, long length, SafeFileHandle? held = null)
    {
        // A stream is used because only streams have an option for the mode. It doesn't buffer.
        FileStreamOptions options = new()
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite, // written data can be read again, to verify or resume it
            Share = FileShare.Read,
            BufferSize = 0,
            PreallocationSize = length,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        try
        {
            FileStream file = new(folder.GetPath(temporary), options);
            return new AtomicFile(folder, name, temporary, file, file.SafeFileHandle, held);
        }
        catch (IOException e) when (IsNoSpace(e))
        {
            File.Delete(folder.GetPath(temporary));
            throw new IOException($"There is not enough space for {ByteSize.Format(length)} in '{folder.Path}'.", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw folder.Named(e, name, temporary);
        }
    }

    /// <summary>Creates a file for content that is completely available.</summary>
    public static AtomicFile CreateUnnamed(LocalFolder folder, string name)
    {
        if (OperatingSystem.IsLinux() && folder is { LinksUnnamed: true, Handle: { } handle })
        {
            SafeFileHandle file = Libc.OpenUnnamed(handle);
            if (!file.IsInvalid)
            {
                return new AtomicFile(folder, name, null, file, file);
            }

            // Not every file system supports this. If there is another error, the call below throws the right exception.
            file.Dispose();
        }

        return Create(folder, name, 0);
    }

    /// <summary>Gives the complete file its properties and its name.</summary>
    /// <param name="overwrite">Whether an existing file is replaced.</param>
    /// <param name="properties">The properties.</param>
    /// <param name="flush">
    /// Flushes the content to disk first, so that after a crash the name never refers to an incomplete file; null to leave that to the system.
    /// </param>
    /// <param name="check">Runs immediately before the file gets its name, with the open file, to check that an existing file can be replaced; null for none.</param>
    /// <exception cref="IOException">
    /// Thrown when the name exists and can't be replaced or belongs to a directory, or when the hidden name belongs to another file.
    /// </exception>
    public void Publish(bool overwrite, in FileProperties properties, IDiskFlush? flush, Action<SafeFileHandle>? check = null)
    {
        UnixFileMode? mode = properties.Mode;
        if (OperatingSystem.IsLinux() && properties.Owner is { } owner)
        {
            Libc.ChangeOwner(Handle, owner); // before the mode, because it removes bits of that
        }

        if (!OperatingSystem.IsWindows() && (mode ?? (_temporaryName is null ? null : ModeOfNamed())) is { } bits)
        {
            File.SetUnixFileMode(Handle, bits);
        }

        if (properties.LastModified is { } time)
        {
            File.SetLastWriteTimeUtc(Handle, time.UtcDateTime);
        }

        flush?.File(Handle);
        check?.Invoke(Handle);
        if (_temporaryName is null && OperatingSystem.IsLinux() && !TryLink(overwrite, mode))
        {
            using AtomicFile copy = CopyNamed();
            copy.Publish(overwrite, properties, flush);
            _folder.LinksUnnamed = false; // the next file has a hidden name from the start
            return;
        }

        if (_temporaryName is { } temporary)
        {
            if (!IsMine(temporary))
            {
                throw new IOException($"Another process has replaced the temporary file of '{Path.Combine(_folder.Path, _name)}'.");
            }

            if (OperatingSystem.IsWindows())
            {
                _file.Dispose(); // an open file can't be renamed there
            }

            try
            {
                // A move that doesn't replace looks first, and replaces a file that is created after that.
                if (overwrite || !OperatingSystem.IsLinux() || _folder.Handle is not { } folder || !Libc.TryRenameNew(_folder.GetPath(temporary), folder, _name))
                {
                    File.Move(_folder.GetPath(temporary), _folder.GetPath(_name), overwrite);
                }
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw _folder.Named(e, _name, temporary);
            }

            _temporaryName = null;
        }

        _file.Dispose();
    }

    public void Dispose()
    {
        string? abandoned = _temporaryName is { } temporary && !IsKept && IsMine(temporary) ? temporary : null;
        _temporaryName = null;
        _file.Dispose();
        if (abandoned is not null)
        {
            File.Delete(_folder.GetPath(abandoned));
        }
    }

    /// <summary>
    /// Returns whether the hidden name still belongs to the open file. A random name isn't examined, because nobody else uses it. On systems other than Linux, the lock
    /// is relied on.
    /// </summary>
    private bool IsMine(string temporary)
        => _lock is null || (!_lock.IsClosed && (!OperatingSystem.IsLinux() || Libc.IsAt(Handle, _folder.GetPath(temporary))));

    /// <summary>
    /// Gets the permissions of a file that is written directly: those of the existing file, or those that the process gives to new files.
    /// </summary>
    [UnsupportedOSPlatform("windows")]
    private UnixFileMode ModeOfNamed()
    {
        if (OperatingSystem.IsLinux())
        {
            return KindOfName() is { IsRegularFile: true } old ? old.Permissions : NewFileMode();
        }

        FileInfo file = new(_folder.GetPath(_name));
        return file.Exists && file.LinkTarget is null ? file.UnixFileMode & Everything : NewFileMode();
    }

    [SupportedOSPlatform("linux")]
    private FileKind KindOfName() => Libc.GetKind(_folder.GetPath(_name), followsLinks: false);

    /// <summary>Links the file to its name or, if the name exists and can be replaced, to a hidden one.</summary>
    /// <returns>False if a file without a name can be created but not linked, as in some sandboxes and on some file systems.</returns>
    /// <exception cref="IOException">Thrown when the name exists and can't be replaced.</exception>
    [SupportedOSPlatform("linux")]
    private bool TryLink(bool overwrite, UnixFileMode? mode)
    {
        if (Libc.TryLink(Handle, _folder.Handle!, _name))
        {
            return true;
        }

        if (Libc.LastError != Libc.Exists)
        {
            return false;
        }

        if (!overwrite)
        {
            throw new IOException($"'{Path.Combine(_folder.Path, _name)}' already exists.", Libc.Exists);
        }

        if (mode is null && KindOfName() is { IsRegularFile: true } old)
        {
            File.SetUnixFileMode(Handle, old.Permissions);
        }

        string temporary = HiddenFileName.Create(string.Empty);
        if (!Libc.TryLink(Handle, _folder.Handle!, temporary))
        {
            return false;
        }

        _temporaryName = temporary;
        return true;
    }

    /// <summary>Creates a file with the same content and a hidden name.</summary>
    private AtomicFile CopyNamed()
    {
        long length = RandomAccess.GetLength(Handle);
        AtomicFile copy = Create(_folder, _name, length);
        try
        {
            byte[] buffer = new byte[Math.Min(length, CopyBytes)];
            for (long offset = 0; offset < length;)
            {
                int count = RandomAccess.Read(Handle, buffer, offset);
                FileContent.Write(copy.Handle, buffer.AsSpan(0, count), offset);
                offset += count > 0 ? count : throw new IOException($"'{Path.Combine(_folder.Path, _name)}' could not be read back.");
            }

            return copy;
        }
        catch
        {
            copy.Dispose();
            throw;
        }
    }

    // The umask of the process can't be read without setting it, which would affect other threads. On Linux, /proc/self/status contains it
    // (proc_pid_status(5)). On other systems, the mode of a new file shows it.
    [UnsupportedOSPlatform("windows")]
    private UnixFileMode NewFileMode()
    {
        const string label = "Umask:";
        if (OperatingSystem.IsLinux() && Libc.HasProc
            && File.ReadLines("/proc/self/status").FirstOrDefault(line => line.StartsWith(label, StringComparison.Ordinal)) is { } line
            && OctalText.TryParse(line.AsSpan(label.Length).Trim(), out int umask))
        {
            return Everybody & ~(UnixFileMode)umask;
        }

        using SafeFileHandle handle = File.OpenHandle(
            _folder.GetPath(HiddenFileName.Create(string.Empty)), FileMode.CreateNew, FileAccess.Write, FileShare.None, FileOptions.DeleteOnClose);
        return File.GetUnixFileMode(handle);
    }

    private static bool IsNoSpace(IOException e)
    {
        const int noSpaceWindows = unchecked((int)0x80070070);
        const int noSpaceUnix = 28; // ENOSPC
        const int tooLargeUnix = 27; // EFBIG
        return e.HResult == noSpaceWindows
            || (!OperatingSystem.IsWindows() && (e.HResult is noSpaceUnix or tooLargeUnix))
            || e.Message.Contains("disk was full", StringComparison.OrdinalIgnoreCase)
            || e.Message.Contains("too large", StringComparison.OrdinalIgnoreCase);
    }
}
