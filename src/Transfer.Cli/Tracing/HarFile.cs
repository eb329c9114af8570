using System.Text;
using System.Text.Json;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Tracing;

/// <summary>The file of --trace. It is a complete document after each entry, so that the trace of a killed command can be read, too.</summary>
internal sealed class HarFile : IDisposable
{
    private static readonly byte[] End = "\n]}}\n"u8.ToArray();
    private readonly Lock _gate = new();
    private readonly SafeFileHandle _file;
    private long _at;
    private bool _hasEntries;

    private HarFile(SafeFileHandle file)
    {
        _file = file;
        string version = JsonEncodedText.Encode(Tool.Version ?? string.Empty).ToString();
        byte[] begin = Encoding.UTF8.GetBytes(
            $$"""{"log":{"version":"1.2","creator":{"name":"transfer","version":"{{version}}"},"comment":"Secrets and the data of objects are left out.","entries":[""");
        RandomAccess.Write(_file, begin, 0);
        RandomAccess.Write(_file, End, _at = begin.Length);
    }

    /// <summary>Gets the error that ended the file early; null if there was none.</summary>
    public Exception? Error { get; private set; }

    /// <summary>Creates the file, and replaces an existing one.</summary>
    /// <exception cref="UsageException">The file can't be written.</exception>
    public static HarFile Create(GivenValue given)
    {
        try
        {
            SafeFileHandle file = File.OpenHandle(given.Text, FileMode.Create, FileAccess.Write, FileShare.Read);
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite); // names of objects are nobody else's business
            }

            return new HarFile(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new UsageException($"{given.Source} got '{Printable.Text(given.Text)}', which can't be written: {FileError.GetReason(e)}; it accepts a file", e);
        }
    }

    /// <summary>Adds an entry. After an error, nothing is added anymore.</summary>
    public void Add(HarEntry entry)
    {
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(entry, HarJsonContext.Default.HarEntry);
        lock (_gate)
        {
            if (Error is not null || _file.IsClosed)
            {
                return;
            }

            try
            {
                byte[] text = [.. _hasEntries ? ",\n"u8 : "\n"u8, .. json, .. End];
                RandomAccess.Write(_file, text, _at);
                _at += text.Length - End.Length;
                _hasEntries = true;
            }
            catch (Exception e) when (e is IOException or ArgumentOutOfRangeException) // the latter if files may not become so large (EFBIG)
            {
                Error = e;
            }
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _file.Dispose();
        }
    }
}
