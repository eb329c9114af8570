using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Text;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Reads the keys of a list, with memory for one line. The list ends at its first error, which is then in <see cref="Error"/>.</summary>
/// <param name="settings">The list.</param>
/// <param name="prefix">The bucket, and the prefix that all keys must have.</param>
/// <param name="open">Opens the list; null to open the file or standard input.</param>
/// <param name="plans">Whether the list is planned and not used while it is read. It can then name versions.</param>
internal sealed class KeyListReader(KeyListSettings settings, Location prefix, Func<Stream>? open = null, bool plans = false)
{
    /// <summary>The maximum length of a line. A key has at most 1,024 bytes, and its URL encoding three times as many.</summary>
    private const int MaxLineBytes = 64 * 1024;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private readonly KeyListFormat _format = settings.Format;
    private long _line;

    /// <summary>Gets the error at which the list ended; null if it was read completely. The keys before it were returned.</summary>
    public TransferException? Error { get; private set; }

    /// <summary>Reads the keys, and what the list tells about their objects. It can be called once.</summary>
    public async IAsyncEnumerable<ObjectKey> ReadAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        if (TryOpen() is not { } stream)
        {
            yield break;
        }

        await using (stream.ConfigureAwait(false))
        {
            // A read of a pipe or a terminal can't be canceled, so the pump does it.
            PipeReader reader = stream.CanSeek ? PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: MaxLineBytes, leaveOpen: true)) : InputPump.Start(stream);
            try
            {
                while (await TryReadAsync(reader, cancellationToken).ConfigureAwait(false) is { } read)
                {
                    ReadOnlySequence<byte> buffer = read.Buffer;
                    while (Error is null && TryTakeLine(ref buffer, read.IsCompleted, out ReadOnlySequence<byte> line))
                    {
                        _line++;
                        if (TryParse(line) is { } key)
                        {
                            yield return key;
                        }
                    }

                    if (Error is null && buffer.Length > MaxLineBytes)
                    {
                        _line++;
                        Fail($"it is longer than {MaxLineBytes / 1024} KiB");
                    }

                    if (Error is not null || read.IsCompleted)
                    {
                        break;
                    }

                    reader.AdvanceTo(buffer.Start, buffer.End);
                }
            }
            finally
            {
                await reader.CompleteAsync().ConfigureAwait(false);
            }
        }
    }

    /// <summary>Reads a list that must not have an error.</summary>
    /// <exception cref="TransferException">Thrown at the first error.</exception>
    public async IAsyncEnumerable<ObjectKey> ReadAllAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (ObjectKey key in ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            yield return key;
        }

        if (Error is { } error)
        {
            throw error;
        }
    }

    private Stream? TryOpen()
    {
        try
        {
            return open is not null ? open()
                : settings.Path == KeyListSettings.StandardInput ? StandardStreams.OpenInput()
                : new FileStream(settings.Path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0, useAsync: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Error = new TransferException($"{settings.Name} can't be read: {FileError.GetReason(e)}", e);
            return null;
        }
    }

    private async Task<ReadResult?> TryReadAsync(PipeReader reader, CancellationToken cancellationToken)
    {
        try
        {
            return await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Error = new TransferException($"{settings.Name} can't be read: {FileError.GetReason(e)}", e);
            return null;
        }
    }

    private bool TryTakeLine(ref ReadOnlySequence<byte> buffer, bool isEnd, out ReadOnlySequence<byte> line)
    {
        if (buffer.PositionOf(_format.EndsWithNul ? (byte)0 : (byte)'\n') is { } end)
        {
            line = buffer.Slice(0, end);
            buffer = buffer.Slice(buffer.GetPosition(1, end));
            return true;
        }

        line = buffer;
        bool isLast = isEnd && !buffer.IsEmpty && buffer.Length <= MaxLineBytes;
        if (isLast)
        {
            buffer = buffer.Slice(buffer.End);
        }

        return isLast;
    }

    /// <summary>Gets the key of a line; null if it has none, or an error.</summary>
    private ObjectKey? TryParse(ReadOnlySequence<byte> line)
    {
        if (line.Length > MaxLineBytes)
        {
            return Fail($"it is longer than {MaxLineBytes / 1024} KiB");
        }

        string text;
        try
        {
            text = Strict.GetString(line);
        }
        catch (DecoderFallbackException)
        {
            return Fail("it isn't valid UTF-8");
        }

        if (!_format.EndsWithNul)
        {
            text = _line == 1 && text.StartsWith('\uFEFF') ? text[1..] : text;
            text = text.EndsWith('\r') ? text[..^1] : text;
            if (text.Contains('\0', StringComparison.Ordinal))
            {
                return Fail("it contains a NUL byte; add --keys-format nul if that ends a key");
            }
        }

        if (text.Length == 0)
        {
            return null;
        }

        ObjectKey? listed = _format.Statuses is { } statuses ? TryParseReport(text, statuses)
            : _format.Columns is null ? new ObjectKey { Key = text }
            : TryParseRow(text);
        return listed is null ? null
            : listed.Key.Length == 0 ? Fail("its key is empty")
            : !listed.Key.StartsWith(prefix.Key, StringComparison.Ordinal) ? Fail($"the key '{listed.Key}' is not under '{prefix.Key}'")
            : listed;
    }

    private ObjectKey? TryParseReport(string text, IReadOnlyList<string> statuses)
    {
        if (ReportReader.TryParse(text) is not { } line)
        {
            return Fail("it isn't a line of a report, as --report writes it");
        }

        if (!statuses.Contains(line.Status))
        {
            return null;
        }

        if (line.VersionId is { } version && !plans)
        {
            return FailVersion(version);
        }

        (ObjectKey? source, ObjectKey? target) = ReportReader.GetObjects(line, prefix);
        ObjectKey? listed = _format.Side switch
        {
            ReportSide.Source => source ?? Fail($"its source is not an object under '{prefix}'"),
            ReportSide.Target => target ?? Fail($"its target is not an object under '{prefix}'"),
            _ when source is not null && target is not null
                => Fail($"its source '{line.Source}' and its target '{line.Target}' are both under '{prefix}'; say which to use with --keys-format report-source or report-target"),
            _ => source ?? target ?? Fail($"neither its source nor its target is an object under '{prefix}'"),
        };
        return listed is { } one ? one with { VersionId = line.VersionId } : null;
    }

    private ObjectKey? TryParseRow(string text)
    {
        IReadOnlyList<string> columns = _format.Columns!;
        if (CsvRow.TrySplit(text) is not { } fields)
        {
            return Fail("its quotation marks don't match");
        }

        if (fields.Count != columns.Count)
        {
            return Fail($"it has {Units.Count(fields.Count, "column", "columns")} instead of {columns.Count}; name all of them with --keys-format, as in csv:Bucket,Key,Size");
        }

        if (fields[_format.IndexOf(KeyListFormat.Bucket)] != prefix.Bucket)
        {
            return Fail($"its bucket is '{fields[_format.IndexOf(KeyListFormat.Bucket)]}' instead of '{prefix.Bucket}'");
        }

        string? version = _format.IndexOf(KeyListFormat.VersionId) is >= 0 and int versions && fields[versions].Length > 0 ? fields[versions] : null;
        if (version is not null && !plans)
        {
            return FailVersion(version);
        }

        if (plans && (IsFlag(fields, _format.IndexOf(KeyListFormat.IsLatest), "false") || IsFlag(fields, _format.IndexOf(KeyListFormat.IsDeleteMarker), "true")))
        {
            return null; // an older version, or a deleted object
        }

        if (CsvRow.TryDecode(fields[_format.IndexOf(KeyListFormat.Key)]) is not { } key)
        {
            return Fail($"the key '{fields[_format.IndexOf(KeyListFormat.Key)]}' isn't URL-encoded");
        }

        long? size = null;
        if (_format.IndexOf(KeyListFormat.Size) is >= 0 and int sizes && fields[sizes].Length > 0)
        {
            size = long.TryParse(fields[sizes], NumberStyles.None, CultureInfo.InvariantCulture, out long bytes) ? bytes : null;
            if (size is null)
            {
                return Fail($"its size is '{fields[sizes]}' instead of a number of bytes");
            }
        }

        return new ObjectKey { Key = key, Length = size, ETag = _format.IndexOf(KeyListFormat.ETag) is >= 0 and int tags ? ReportReader.GetTag(fields[tags]) : null, VersionId = version };
    }

    private static bool IsFlag(IReadOnlyList<string> fields, int column, string value) => column >= 0 && fields[column].Equals(value, StringComparison.OrdinalIgnoreCase);

    private ObjectKey? FailVersion(string version) => Fail($"it is about the version '{version}', and versions can't be selected by a list");

    private ObjectKey? Fail(string reason)
    {
        string name = _format.EndsWithNul ? "key" : "line";
        Error = new TransferException($"{name} {_line} of {settings.Name}: {reason}. {(plans ? "Nothing was planned" : $"The list was used up to this {name}")}.") { Bucket = prefix.Bucket, Key = prefix.Key };
        return null;
    }
}
