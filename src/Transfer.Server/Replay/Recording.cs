using System.Globalization;
using System.Text.Json;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Replay;

/// <summary>The responses of a store in an HTTP Archive 1.2, by their requests (http://www.softwareishard.com/blog/har-12-spec/).</summary>
/// <remarks>
/// A request is found by its method, path, query, and range, without what its signature added. Several responses to the same request are returned in their order, and
/// the last one again and again.
/// </remarks>
internal sealed class Recording
{
    private readonly Dictionary<string, Queue<RecordedResponse>> _responses = [];
    private readonly Dictionary<string, RecordedResponse> _objects = [];
    private readonly Lock _gate = new();

    /// <summary>Gets the number of responses.</summary>
    public int Count { get; private set; }

    /// <summary>Reads a file.</summary>
    /// <exception cref="InvalidDataException">Thrown when the file isn't an HTTP Archive.</exception>
    public static Recording Read(string path)
    {
        Recording recording = new();
        try
        {
            using FileStream file = File.OpenRead(path);
            using JsonDocument archive = JsonDocument.Parse(file);
            foreach (JsonElement entry in archive.RootElement.GetProperty("log").GetProperty("entries").EnumerateArray())
            {
                recording.Add(entry);
            }
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            throw new InvalidDataException($"'{path}' is not an HTTP Archive: {e.Message}", e);
        }

        return recording;
    }

    /// <summary>Finds the next response to a request; null if there is none.</summary>
    public RecordedResponse? Find(string method, string path, QueryParameters query, string? range)
    {
        lock (_gate)
        {
            return !_responses.TryGetValue(GetKey(method, path, query, range), out Queue<RecordedResponse>? responses) ? null
                : responses.Count > 1 ? responses.Dequeue()
                : responses.Peek();
        }
    }

    /// <summary>Finds a response that shows the size and the headers of an object, for a range that was not recorded.</summary>
    public RecordedResponse? FindObject(string path)
    {
        lock (_gate)
        {
            return _objects.GetValueOrDefault(path);
        }
    }

    private void Add(JsonElement entry)
    {
        JsonElement request = entry.GetProperty("request");
        JsonElement response = entry.GetProperty("response");
        JsonElement content = response.GetProperty("content");
        Uri address = new(request.GetProperty("url").GetString()!, UriKind.Absolute);
        string? comment = entry.TryGetProperty("comment", out JsonElement why) ? why.GetString() : null;
        RecordedResponse recorded = new(
            response.GetProperty("status").GetInt32(),
            [.. response.GetProperty("headers").EnumerateArray().Select(static header => KeyValuePair.Create(header.GetProperty("name").GetString()!, header.GetProperty("value").GetString()!))],
            content.TryGetProperty("text", out JsonElement text) ? text.GetString() : null,
            content.GetProperty("size").GetInt64(),
            comment is not (null or "" or "canceled"));
        string method = request.GetProperty("method").GetString()!;
        string? range = request.GetProperty("headers").EnumerateArray().Where(static header => string.Equals(header.GetProperty("name").GetString(), "range", StringComparison.OrdinalIgnoreCase))
            .Select(static header => header.GetProperty("value").GetString()).FirstOrDefault();
        QueryParameters query = QueryParameters.Parse(address.Query.TrimStart('?'));

        // The store may have been addressed with the bucket in the name of the host. This server is addressed with the bucket in the path.
        string ownPath = address.AbsolutePath;
        string pathWithHost = $"/{address.Host.Split('.')[0]}{ownPath}";
        foreach (string path in (string[])[ownPath, pathWithHost])
        {
            string key = GetKey(method, path, query, range);
            if (!_responses.TryGetValue(key, out Queue<RecordedResponse>? responses))
            {
                _responses[key] = responses = [];
            }

            responses.Enqueue(recorded);
            if (method is "GET" or "HEAD" && recorded.ObjectSize is not null && query["partNumber"] is null)
            {
                _objects[path] = recorded;
            }
        }

        Count++;
    }

    /// <summary>Gets what identifies a request, without the parameters of presigned addresses.</summary>
    private static string GetKey(string method, string path, QueryParameters query, string? range)
    {
        IEnumerable<string> parameters = query.All.Where(static parameter => !parameter.Key.StartsWith("X-Amz-", StringComparison.OrdinalIgnoreCase))
            .Select(static parameter => $"{parameter.Key}={parameter.Value}").Order(StringComparer.Ordinal);
        return string.Create(CultureInfo.InvariantCulture, $"{method} {path} {string.Join('&', parameters)} {range}");
    }
}
