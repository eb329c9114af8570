using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Writes the lines of a listing, a comparison, or a plan, as aligned text or as JSON.</summary>
/// <param name="invocation">The run of the command.</param>
/// <param name="sizes">How sizes are shown.</param>
/// <param name="bucket">The bucket to name in each line of --json; null if the command line has only one.</param>
internal sealed class ListWriter(Invocation invocation, SizeText sizes = default, string? bucket = null)
{
    private const int KindCells = 13;
    private const int ActionCells = 8;
    // Names must not control a terminal. Programs get them unchanged.
    private readonly bool _escape = invocation.Console.OutputIsTerminal;

    public void Bucket(string name, DateTimeOffset? created)
        => invocation.WriteLine(new ListedBucketJson(name, created), ToolJsonContext.Default.ListedBucketJson, one => $"{Time(one.Created)}  {Name(one.Bucket)}");

    /// <summary>Writes what the next lines are about, if it isn't clear.</summary>
    public void Title(string text)
    {
        if (!invocation.Output.Json)
        {
            invocation.Console.Output.WriteLine($"{Name(text)}:");
        }
    }

    public void Prefix(string prefix, int shown) => invocation.WriteLine(
        new ListedPrefixJson(prefix) { Bucket = bucket }, ToolJsonContext.Default.ListedPrefixJson, one => $"{"PRE".PadLeft(TimeText.Width() + sizes.Cells + 2)}  {Name(one.Prefix[shown..])}");

    public void Object(ListedObject item, int shown) => invocation.WriteLine(
        new ListedObjectJson(item.Key, item.Length, item.LastModified, item.ETag, item.StorageClass, item.VersionId) { Bucket = bucket },
        ToolJsonContext.Default.ListedObjectJson,
        one => $"{Time(one.LastModified)}  {sizes.Cell(one.Size)}  {Name(one.Key[shown..])}");

    /// <summary>Writes a version or a delete marker.</summary>
    public void Version(ListedObject item, int shown) => invocation.WriteLine(
        new ListedObjectJson(item.Key, item.Length, item.LastModified, item.ETag, item.StorageClass, item.VersionId)
        {
            Bucket = bucket,
            IsLatest = item.IsLatest,
            IsDeleteMarker = item.IsDeleteMarker,
        },
        ToolJsonContext.Default.ListedObjectJson,
        one => $"{Time(one.LastModified)}  {(one.IsDeleteMarker == true ? "deleted".PadLeft(sizes.Cells) : sizes.Cell(one.Size))}  {(one.IsLatest == true ? "latest" : "older ")}  {Name(one.Key[shown..])}  {Name(one.VersionId ?? string.Empty)}");

    public void Upload(UnfinishedUpload upload) => invocation.WriteLine(
        new ListedUploadJson(upload.Key, upload.UploadId, upload.Initiated),
        ToolJsonContext.Default.ListedUploadJson,
        one => $"{Time(one.Initiated)}  {Name(one.Key)}  {Name(one.UploadId)}");

    public void Difference(string kind, string key, string? path, string text) => invocation.WriteLine(
        new DifferenceJson(kind.Replace(' ', '_'), key, path, text),
        ToolJsonContext.Default.DifferenceJson,
        one => $"{kind.PadRight(KindCells)}  {Printable.Text(one.Key)}: {Printable.Line(one.Text)}");

    public void Action(string action, string name, long bytes, string reason) => invocation.WriteLine(
        new SyncActionJson(action, name, bytes, reason),
        ToolJsonContext.Default.SyncActionJson,
        static one => $"{one.Action.PadRight(ActionCells)}  {Printable.Text(one.Name)}: {Printable.Line(one.Reason)}");

    /// <summary>Writes what would be done with one object. If standard output is the target, it stays empty.</summary>
    public void Planned(PlannedJson line) => invocation.WriteLine(
        line,
        ToolJsonContext.Default.PlannedJson,
        static one => Printable.Text(one.Source is not null ? $"{one.Source} → {one.Target}" : one.VersionId is null ? one.Target : $"{one.Target} version {one.VersionId}"),
        invocation.IsOutputTaken ? invocation.Console.Error : null);

    /// <summary>Writes the totals to standard error, because they aren't part of the listing.</summary>
    public void Total(string text)
    {
        // The listing must come first on a terminal that shows both.
        invocation.Console.Flush();
        if (!invocation.Output.Json)
        {
            invocation.Summary(text);
        }
    }

    private static string Time(DateTimeOffset? time)
        => time is { } known ? TimeText.Get(known) : new string(' ', TimeText.Width());

    private string Name(string name) => _escape ? Printable.Text(name) : name;
}
