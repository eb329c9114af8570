using System.Globalization;
using Transfer.S3.Files;

namespace Transfer.S3.Jobs;

/// <summary>The names of the files of a job.</summary>
/// <remarks>
/// The files of shards have the ID of the plan in their names, so that two planners at the same time can't mix their files: only the one whose <see cref="Plan"/>
/// is written first counts. Results have it too, so that those of a former plan don't count.
/// </remarks>
internal static class JobNames
{
    public const string Plan = "plan.json";
    public const string Summary = "summary.json";
    public const string Report = "report.jsonl";
    public const string Results = "results/";
    public const string Shards = "shards/";
    private const string Uploads = "uploads/";
    private const string Probes = "probe-";
    private const string RefusedFile = "refused.jsonl";
    private const string DeletionsFile = "deletions.jsonl";
    private const string Done = "done-";
    private const string Lines = ".jsonl";
    private const string UploadEnd = ".json";
    private const string CompletedEnd = "-end.json";
    private const int IdLength = 16;

    public static string NewId() => Guid.NewGuid().ToString("N")[..IdLength];

    public static bool IsId(string text) => text.Length == IdLength && text.All(char.IsAsciiHexDigitLower);

    public static string GetShards(string id) => $"{Shards}{id}/";

    public static string Shard(string id, int index) => $"{GetShards(id)}{Text(index)}{Lines}";

    public static string Refused(string id) => GetShards(id) + RefusedFile;

    public static string Deletions(string id) => GetShards(id) + DeletionsFile;

    /// <summary>Gets the name of an empty file that shows what the store supports.</summary>
    public static string NewProbe() => Probes + NewId();

    /// <summary>Gets the prefix of the files about the uploads of huge objects.</summary>
    public static string GetUploads(string id) => $"{Uploads}{id}/";

    /// <summary>Gets the name of the file with the ID of the upload of a huge object.</summary>
    public static string Upload(string id, int number) => GetUploads(id) + Text(number) + UploadEnd;

    /// <summary>Gets the name of the file that says how the upload of a huge object ended.</summary>
    public static string Completed(string id, int number) => GetUploads(id) + Text(number) + CompletedEnd;

    public static string GetResults(int shard) => $"{Results}{Text(shard)}/";

    /// <summary>Gets the name of some results of one attempt. Names are in the order of time.</summary>
    public static string Segment(int shard, string id, string attempt, int number) => string.Create(CultureInfo.InvariantCulture, $"{GetResults(shard)}{id}-{attempt}-{number:D5}{Lines}");

    public static string Attempt(DateTimeOffset time) => time.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture) + "-" + NewId()[..8];

    /// <summary>Gets the name of the empty file that says that every item of a shard is done, so that one listing tells it.</summary>
    public static string Finished(int shard, string id, DateTimeOffset begin, DateTimeOffset end)
        => string.Create(CultureInfo.InvariantCulture, $"{GetResults(shard)}{Done}{id}-{begin.ToUnixTimeMilliseconds()}-{end.ToUnixTimeMilliseconds()}");

    /// <summary>Reads the name of a file of results.</summary>
    /// <returns>Null if it isn't one.</returns>
    public static ResultName? TryReadResult(string name)
    {
        if (name.Split('/') is not [var folder, { } number, { } file] || folder + "/" != Results
            || !IsNumber(number, out int shard))
        {
            return null;
        }

        return file.Split('-') switch
        {
            ["done", { } id, { } begin, { } end] when IsId(id) && TryParse(begin, out long from) && TryParse(end, out long to)
                => new ResultName(shard, name, id, TimeSpan.FromMilliseconds(Math.Max(0, to - from))),
            [{ } id, _, _, { } last] when IsId(id) && last.EndsWith(Lines, StringComparison.Ordinal) => new ResultName(shard, name, id, null),
            _ => null,
        };
    }

    /// <summary>Reads the name of a file that a planner writes for its plan: a shard, or a list of refused names or deletions.</summary>
    /// <returns>The ID of the plan; null if it isn't such a name.</returns>
    public static string? TryReadShard(string name) => name.Split('/') is [var folder, { } id, { } file] && folder + "/" == Shards && IsId(id)
        && (file is RefusedFile or DeletionsFile || IsNumbered(file, Lines)) ? id : null;

    /// <summary>Returns whether a file can be in a folder to which a job is planned: those of other planners at the same time, and what an earlier job has left.</summary>
    /// <param name="name">The name. Files that are being written have a hidden one.</param>
    public static bool IsOfPlanners(string name)
    {
        int last = name.LastIndexOf('/') + 1;
        string? written = HiddenFileName.FindName(name[last..]);
        string visible = name[..last] + (written ?? name[last..]);
        return visible.Length == 0 // some consoles create an object with the name of the prefix
            || (visible.StartsWith(Probes, StringComparison.Ordinal) && IsId(visible[Probes.Length..]))
            || (written is Plan or Summary or Report && last == 0)
            || TryReadShard(visible) is not null
            || TryReadResult(visible) is not null
            || IsUpload(visible);
    }

    private static bool IsUpload(string name) => name.Split('/') is [var folder, { } id, { } file] && folder + "/" == Uploads && IsId(id)
        && (IsNumbered(file, CompletedEnd) || IsNumbered(file, UploadEnd));

    private static bool IsNumbered(string file, string end) => file.EndsWith(end, StringComparison.Ordinal) && IsNumber(file[..^end.Length], out _);

    private static bool IsNumber(string text, out int number)
        => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && Text(number) == text;

    private static bool TryParse(string text, out long number) => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);

    private static string Text(int index) => index.ToString("D6", CultureInfo.InvariantCulture);
}
