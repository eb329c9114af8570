using System.Text.Json;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The counters of the cheap server.</summary>
/// <param name="Sent">The bytes of the bodies that it sent.</param>
/// <param name="Received">The bytes of the bodies that it received.</param>
/// <param name="Requests">The number of requests.</param>
internal readonly record struct PeerCounters(long Sent, long Received, long Requests)
{
    /// <summary>Parses the counters, such as <c>{"GetObject":42,"bytes_in":0,"bytes_out":1024}</c>. Each operation has a counter in Pascal case.</summary>
    public static PeerCounters Parse(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        JsonElement root = document.RootElement;
        long requests = root.EnumerateObject().Where(static one => char.IsAsciiLetterUpper(one.Name[0])).Sum(static one => one.Value.GetInt64());
        return new PeerCounters(root.GetProperty("bytes_out").GetInt64(), root.GetProperty("bytes_in").GetInt64(), requests);
    }
}
