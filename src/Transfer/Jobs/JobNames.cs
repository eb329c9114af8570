using System.Globalization;

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
    private const string Done = "done-";
    private const string Lines = ".jsonl";
    private const int IdLength = 16;

    public static string NewId() => Guid.NewGuid().ToString("N")[..IdLength];

    public static bool IsId(string text) => text.Length == IdLength && text.All(char.IsAsciiHexDigitLower);

    public static string GetShards(string id) => $"{Shards}{id}/";

    public static string Shard(string id, int index) => $"{GetShards(id)}{Text(index)}{Lines}";

    public static string Refused(string id) => $"{GetShards(id)}refused.jsonl";

    public static string Deletions(string id) => $"{GetShards(id)}deletions.jsonl";

    /// <summary>Gets the prefix of the files about the uploads of huge objects.</summary>
    public static string GetUploads(string id) => $"{Uploads}{id}/";

    /// <summary>Gets the name of the file with the ID of the upload of a huge object.</summary>
    public static string Upload(string id, int number) => $"{GetUploads(id)}{Text(number)}.json";

    /// <summary>Gets the name of the file that says how the upload of a huge object ended.</summary>
    public static string Completed(string id, int number) => $"{GetUploads(id)}{Text(number)}-end.json";

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
            || !int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out int shard) || Text(shard) != number)
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

    private static bool TryParse(string text, out long number) => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);

    private static string Text(int index) => index.ToString("D6", CultureInfo.InvariantCulture);
}
