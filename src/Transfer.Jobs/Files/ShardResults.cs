using System.Globalization;
using System.Text.Json;
using Transfer.S3.Files;

namespace Transfer.S3.Jobs;

/// <summary>
/// The results of all attempts at a shard: the best line of each item. Damaged lines don't count: their items find their targets done. The lines are in a temporary
/// file, so that memory grows only by a few bytes for each item.
/// </summary>
internal sealed class ShardResults : IDisposable
{
    private const int CrcLength = 8;

    private readonly LineSpool _lines = new("results");
    private readonly (long Offset, int Length, byte Rank)[] _best;
    private readonly Dictionary<long, List<(long Offset, int Length)>> _parts = [];

    private readonly HashSet<string> _openUploads = [];

    private ShardResults(long items) => _best = new (long, int, byte)[items];

    /// <summary>Gets the number of lines that are damaged or not of this shard.</summary>
    public long Damaged { get; private set; }

    /// <summary>Gets the IDs of the uploads that were open when results were written.</summary>
    public IReadOnlyCollection<string> OpenUploads => _openUploads;

    /// <summary>Gets the number of items that need no other attempt.</summary>
    public long Done { get; private set; }

    /// <summary>Reads results.</summary>
    /// <param name="folder">The folder of the job.</param>
    /// <param name="names">The names of the files.</param>
    /// <param name="items">The number of items of the shard.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task<ShardResults> ReadAsync(JobFolder folder, IEnumerable<string> names, long items, CancellationToken cancellationToken)
    {
        ShardResults results = new(items);
        try
        {
            // Names are in the order of time, so that the last error of an item is the one that counts.
            foreach (string name in names.Order(StringComparer.Ordinal))
            {
                if (await folder.ReadAllAsync(name, cancellationToken).ConfigureAwait(false) is { } segment)
                {
                    results.Add(segment);
                }
            }

            return results;
        }
        catch
        {
            results.Dispose();
            throw;
        }
    }

    public bool IsDone(long item) => _best[item].Rank == 2;

    /// <summary>Gets the best line of an item; null if there is none.</summary>
    public JobLine? Find(long item)
    {
        (long offset, int length, byte rank) = _best[item];
        return rank == 0 ? null : ReadLine((offset, length));
    }

    /// <summary>Gets the parts that an item has copied, also those of an attempt that didn't end.</summary>
    /// <param name="item">The number of the item.</param>
    /// <param name="mark">The mark of the upload that they must belong to; null for any.</param>
    public IEnumerable<JobPart> FindParts(long item, string? mark = null)
        => (_parts.GetValueOrDefault(item) ?? []).Select(line => ReadLine(line)!)
            .Where(line => mark is null || line.Upload == mark).SelectMany(static line => line.Parts ?? []).DistinctBy(static part => part.Number);

    public void Dispose() => _lines.Dispose();

    private JobLine? ReadLine((long Offset, int Length) place) => JsonSerializer.Deserialize(_lines.Read(place), JobJson.Default.JobLine);

    private void Add(ReadOnlySpan<byte> segment)
    {
        while (!segment.IsEmpty)
        {
            int end = segment.IndexOf((byte)'\n');
            ReadOnlySpan<byte> line = end < 0 ? segment : segment[..end];
            segment = end < 0 ? [] : segment[(end + 1)..];
            if (end < 0 || !TryAdd(line))
            {
                Damaged++;
            }
        }
    }

    private bool TryAdd(ReadOnlySpan<byte> line)
    {
        if (line.Length <= CrcLength || line[CrcLength] != (byte)' '
            || !uint.TryParse(line[..CrcLength], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint crc)
            || Crc.Crc32C.Compute(line[(CrcLength + 1)..]) != crc)
        {
            return false;
        }

        ReadOnlySpan<byte> text = line[(CrcLength + 1)..];
        JobLine? read;
        try
        {
            read = JsonSerializer.Deserialize(text, JobJson.Default.JobLine);
        }
        catch (JsonException)
        {
            return false;
        }

        if (read is { Status: JobLine.Open, Upload: { } upload })
        {
            _openUploads.Add(upload);
            return true;
        }

        if (read?.Item is not { } item || item < 0 || item >= _best.Length)
        {
            return false;
        }

        if (read.Status == JobLine.Part)
        {
            if (!_parts.TryGetValue(item, out List<(long, int)>? parts))
            {
                _parts.Add(item, parts = []);
            }

            parts.Add(_lines.Add(text));
            return true;
        }

        // What was done first counts, and then the last error.
        ref (long Offset, int Length, byte Rank) best = ref _best[item];
        if (best.Rank < 2)
        {
            Done += read.IsDone ? 1 : 0;
            (long offset, int length) = _lines.Add(text);
            best = (offset, length, read.IsDone ? (byte)2 : (byte)1);
        }

        return true;
    }
}
