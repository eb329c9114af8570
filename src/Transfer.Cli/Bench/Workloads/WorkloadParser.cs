using System.Globalization;
using System.Text;
using System.Text.Json;
using Transfer.S3.Bench.Text;
using Transfer.S3.Bench.Workloads;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Bench.Workloads;

/// <summary>Parses workloads. As their specification demands, all fields are required, and what this version doesn't have is refused instead of ignored.</summary>
internal sealed class WorkloadParser
{
    private const int AcceptedVersion = 2;
    private const int MaxKeyBytes = 1024; // Amazon S3 User Guide, "Creating object key names"
    private static readonly string[] Fields = ["version", "comment", "filesOnDisk", "checksum", "maxRepeatCount", "maxRepeatSecs", "tasks"];
    private static readonly string[] TaskFields = ["action", "key", "size"];

    private readonly string _subject;
    private readonly Dictionary<string, (WorkloadTask Task, int Number)> _tasks = new(StringComparer.Ordinal);
    private bool _filesOnDisk;

    private WorkloadParser(string subject) => _subject = subject;

    /// <exception cref="UsageException">Thrown when the file can't be read, or isn't a workload that this tool accepts.</exception>
    public static WorkloadFile Read(GivenValue given)
    {
        string text = OptionValues.ReadFile(given);
        return Parse($"{given.Source} got '{Printable.Text(given.Text)}', which", Path.GetFileName(given.Text).Split('.')[0], text);
    }

    /// <param name="subject">The beginning of errors, such as "--workload got 'x', which".</param>
    /// <param name="name">The name of the workload.</param>
    /// <param name="text">The JSON.</param>
    public static WorkloadFile Parse(string subject, string name, string text)
    {
        JsonDocument document;
        try
        {
            document = JsonDocument.Parse(text);
        }
        catch (JsonException e)
        {
            throw new UsageException($"{subject} is not valid JSON: {Printable.Line(e.Message)}", e);
        }

        using (document)
        {
            return new WorkloadParser(subject).Read(name, document.RootElement);
        }
    }

    private WorkloadFile Read(string name, JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
        {
            throw Wrong($"is not a workload; it accepts a JSON object with {Names(Fields)}");
        }

        if (root.TryGetProperty("fileSize", out _) && !root.TryGetProperty("tasks", out _))
        {
            throw Wrong("is the source of a workload (.src.json); it accepts a .run.json file, which build-workloads.py of aws-crt-s3-benchmarks makes of it");
        }

        // Checked before all other fields, because another version can have others.
        JsonElement version = Field(root, string.Empty, "version", Fields);
        if (version.ValueKind != JsonValueKind.Number || !version.TryGetInt32(out int number) || number != AcceptedVersion)
        {
            throw Wrong($"has version {Text(version)}; it accepts version {AcceptedVersion}");
        }

        Check(root, string.Empty, Fields);
        JsonElement tasks = root.GetProperty("tasks");
        if (tasks.ValueKind != JsonValueKind.Array || tasks.GetArrayLength() == 0)
        {
            throw Wrong($"has 'tasks' {Text(tasks)}; it accepts an array with at least one task");
        }

        _filesOnDisk = FilesOnDisk(root);
        return new WorkloadFile
        {
            Name = name,
            Comment = Comment(root),
            FilesOnDisk = _filesOnDisk,
            Checksum = Checksum(root),
            MaxRepeatCount = MaxRepeatCount(root),
            MaxRepeatSeconds = MaxRepeatSeconds(root),
            Tasks = [.. tasks.EnumerateArray().Select((task, index) => ReadTask(task, index + 1))],
        };
    }

    private bool FilesOnDisk(JsonElement root) => root.GetProperty("filesOnDisk").ValueKind switch
    {
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        _ => throw WrongField(root, "filesOnDisk", "true or false"),
    };

    private string Comment(JsonElement root)
        => root.GetProperty("comment") is { ValueKind: JsonValueKind.String } comment ? comment.GetString()! : throw WrongField(root, "comment", "text");

    private int MaxRepeatCount(JsonElement root)
        => root.GetProperty("maxRepeatCount") is { ValueKind: JsonValueKind.Number } value && value.TryGetInt32(out int count) && count > 0
            ? count
            : throw WrongField(root, "maxRepeatCount", "a whole number from 1");

    private double MaxRepeatSeconds(JsonElement root)
        => root.GetProperty("maxRepeatSecs") is { ValueKind: JsonValueKind.Number } value && value.TryGetDouble(out double seconds) && seconds >= 0
            ? seconds
            : throw WrongField(root, "maxRepeatSecs", "a number of seconds from 0");

    private WorkloadTask ReadTask(JsonElement element, int number)
    {
        string where = string.Create(CultureInfo.InvariantCulture, $"task {number}: ");
        if (element.ValueKind != JsonValueKind.Object)
        {
            throw Wrong($"has {where}{Text(element)}; it accepts a JSON object with {Names(TaskFields)}");
        }

        Check(element, where, TaskFields);
        JsonElement action = element.GetProperty("action");
        JsonElement key = element.GetProperty("key");
        JsonElement size = element.GetProperty("size");
        string? kind = action.ValueKind == JsonValueKind.String ? action.GetString() : null;
        string name = key.ValueKind == JsonValueKind.String ? key.GetString()! : string.Empty;
        if (kind is not ("upload" or "download"))
        {
            throw Wrong($"has {where}'action' {Text(action)}; it accepts upload or download");
        }

        if (name.Length == 0 || Encoding.UTF8.GetByteCount(name) > MaxKeyBytes)
        {
            throw Wrong($"has {where}'key' {Text(key)}; it accepts a key of 1 to {MaxKeyBytes} bytes");
        }

        if (size.ValueKind != JsonValueKind.Number || !size.TryGetInt64(out long bytes) || bytes < 0)
        {
            throw Wrong($"has {where}'size' {Text(size)}; it accepts a whole number of bytes from 0");
        }

        if (_filesOnDisk && !WorkloadPaths.IsInside(name))
        {
            throw Wrong($"has {where}'key' {Text(key)}, and 'filesOnDisk' true; it accepts keys that are paths in the current directory, without . and .. and empty names");
        }

        WorkloadTask task = new(kind == "upload" ? WorkloadAction.Upload : WorkloadAction.Download, name, bytes);
        CheckConflict(task, number, where);
        return task;
    }

    // A key can be in several tasks, but every run and --prepare must find it as the run before has left it.
    private void CheckConflict(WorkloadTask task, int number, string where)
    {
        if (_tasks.TryAdd(task.Key, (task, number)))
        {
            return;
        }

        (WorkloadTask other, int otherNumber) = _tasks[task.Key];
        if (other.Action != task.Action)
        {
            throw Wrong($"has {where}'{Printable.Text(task.Key)}', which task {otherNumber} transfers in the other direction; it accepts one direction for each key");
        }

        if (other.SizeBytes != task.SizeBytes)
        {
            throw Wrong($"has {where}'{Printable.Text(task.Key)}' with {task.SizeBytes} bytes, and task {otherNumber} has it with {other.SizeBytes}; it accepts one size for each key");
        }
    }

    private ChecksumAlgorithm? Checksum(JsonElement root)
    {
        JsonElement checksum = root.GetProperty("checksum");
        return checksum.ValueKind switch
        {
            JsonValueKind.Null => null,
            JsonValueKind.String when ChecksumText.TryParseS3Name(checksum.GetString(), out ChecksumAlgorithm algorithm) => algorithm,
            _ => throw WrongField(root, "checksum", $"null, {ChecksumText.AcceptedS3Names}"),
        };
    }

    private void Check(JsonElement element, string where, string[] fields)
    {
        foreach (string field in fields)
        {
            Field(element, where, field, fields);
        }

        if (element.EnumerateObject().FirstOrDefault(property => !fields.Contains(property.Name)) is { Value.ValueKind: not JsonValueKind.Undefined } extra)
        {
            throw Wrong($"has {where}an unknown field '{Printable.Text(extra.Name)}'; it accepts {Names(fields)}");
        }
    }

    private JsonElement Field(JsonElement element, string where, string name, string[] fields)
        => element.TryGetProperty(name, out JsonElement value) ? value : throw Wrong($"has {where}no '{name}'; it needs {Names(fields)}");

    private UsageException WrongField(JsonElement root, string name, string accepted) => Wrong($"has '{name}' {Text(root.GetProperty(name))}; it accepts {accepted}");

    // Has an inner exception like other errors of files, whose message is about the file, so the help of the command would say nothing.
    private UsageException Wrong(string what) => new($"{_subject} {what}", new JsonException(what));

    private static string Text(JsonElement value)
    {
        const int MaxLength = 60;
        string text = Printable.Line(value.GetRawText());
        return text.Length > MaxLength ? text[..MaxLength] + "…" : text;
    }

    private static string Names(string[] names) => $"{string.Join(", ", names[..^1])}, and {names[^1]}";
}
