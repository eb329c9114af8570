using System.Globalization;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Writes the lines of a listing, a comparison, or a plan, as aligned text or as JSON.</summary>
internal sealed class ListWriter(Invocation invocation)
{
    private const string TimeFormat = "yyyy-MM-dd HH:mm:ss";
    private const int SizeCells = 9;
    private const int KindCells = 13;
    private const int ActionCells = 8;
    private readonly TextWriter _output = invocation.Console.Output;
    private readonly bool _json = invocation.Output.Json;

    // Names must not control a terminal. Programs get them unchanged.
    private readonly bool _escape = invocation.Console.OutputIsTerminal;

    public void Bucket(string name, DateTimeOffset? created)
    {
        if (_json)
        {
            CommandRunner.WriteJson(_output, new ListedBucketJson(name, created), ToolJsonContext.Default.ListedBucketJson);
        }
        else
        {
            _output.WriteLine($"{Time(created)}  {Name(name)}");
        }
    }

    public void Prefix(string prefix, int shown)
    {
        if (_json)
        {
            CommandRunner.WriteJson(_output, new ListedPrefixJson(prefix), ToolJsonContext.Default.ListedPrefixJson);
        }
        else
        {
            _output.WriteLine($"{"PRE".PadLeft(TimeFormat.Length + SizeCells + 2)}  {Name(prefix[shown..])}");
        }
    }

    public void Object(ListedObject item, int shown)
    {
        if (_json)
        {
            CommandRunner.WriteJson(
                _output,
                new ListedObjectJson(item.Key, item.Length, item.LastModified, item.ETag, item.StorageClass, item.VersionId),
                ToolJsonContext.Default.ListedObjectJson);
        }
        else
        {
            _output.WriteLine($"{Time(item.LastModified)}  {ByteSize.Format(item.Length),SizeCells}  {Name(item.Key[shown..])}");
        }
    }

    public void Upload(UnfinishedUpload upload)
    {
        if (_json)
        {
            CommandRunner.WriteJson(_output, new ListedUploadJson(upload.Key, upload.UploadId, upload.Initiated), ToolJsonContext.Default.ListedUploadJson);
        }
        else
        {
            _output.WriteLine($"{Time(upload.Initiated)}  {Name(upload.Key)}  {Name(upload.UploadId)}");
        }
    }

    public void Difference(string kind, string key, string? path, string text)
    {
        if (_json)
        {
            CommandRunner.WriteJson(_output, new DifferenceJson(kind.Replace(' ', '_'), key, path, text), ToolJsonContext.Default.DifferenceJson);
        }
        else
        {
            _output.WriteLine($"{kind.PadRight(KindCells)}  {Printable.Text(key)}: {Printable.Line(text)}");
        }
    }

    public void Action(string action, string name, long bytes, string reason)
    {
        if (_json)
        {
            CommandRunner.WriteJson(_output, new SyncActionJson(action, name, bytes, reason), ToolJsonContext.Default.SyncActionJson);
        }
        else
        {
            _output.WriteLine($"{action.PadRight(ActionCells)}  {Printable.Text(name)}: {Printable.Line(reason)}");
        }
    }

    /// <summary>Writes what would be done with one object. If standard output is the target, it stays empty.</summary>
    public void Planned(PlannedJson line)
    {
        TextWriter writer = invocation.IsOutputTaken ? invocation.Console.Error : _output;
        if (_json)
        {
            CommandRunner.WriteJson(writer, line, ToolJsonContext.Default.PlannedJson);
        }
        else
        {
            writer.WriteLine(Printable.Text(line.Source is not null ? $"{line.Source} → {line.Target}" : line.VersionId is null ? line.Target : $"{line.Target} version {line.VersionId}"));
        }
    }

    /// <summary>Writes the totals to standard error, because they aren't part of the listing.</summary>
    public void Total(string text)
    {
        // The listing must come first on a terminal that shows both.
        invocation.Console.Flush();
        if (!_json)
        {
            invocation.Summary(text);
        }
    }

    private static string Time(DateTimeOffset? time)
        => time is { } known ? known.ToLocalTime().ToString(TimeFormat, CultureInfo.InvariantCulture) : new string(' ', TimeFormat.Length);

    private string Name(string name) => _escape ? Printable.Text(name) : name;
}
