using System.Runtime.InteropServices;
using Transfer.S3.Files;

namespace Transfer.S3.Jobs;

/// <summary>The items of a plan in temporary files, so that their number takes no memory. They are divided among shards when all are known.</summary>
/// <param name="directory">The directory of the files; null for that of temporary files.</param>
internal sealed class ItemSpool(string? directory) : IDisposable
{
    private readonly FileStream _lines = TemporaryFile.CreateIn(directory, "items");
    private readonly FileStream _costs = TemporaryFile.CreateIn(directory, "costs");

    public long Count { get; private set; }

    /// <summary>Gets the cost of all items.</summary>
    public long Cost { get; private set; }

    /// <summary>Adds an item.</summary>
    /// <param name="line">The line of the item, with its end.</param>
    /// <param name="cost">The cost.</param>
    /// <param name="bytes">The number of bytes that the item moves.</param>
    /// <exception cref="IOException">Thrown when a file can't be written.</exception>
    public void Add(ReadOnlySpan<byte> line, long cost, long bytes)
    {
        _lines.Write(line);
        SpooledItem item = new(Cost: cost, Bytes: bytes, Length: line.Length);
        _costs.Write(MemoryMarshal.AsBytes(new ReadOnlySpan<SpooledItem>(in item)));
        Count++;
        Cost = checked(Cost + cost);
    }

    /// <summary>Reads the costs from an item on, in the order in which the items were added.</summary>
    public IEnumerable<SpooledItem> ReadCosts(long first = 0)
    {
        _costs.Position = first * Marshal.SizeOf<SpooledItem>();
        SpooledItem[] one = new SpooledItem[1];
        for (long i = first; i < Count; i++)
        {
            _costs.ReadExactly(MemoryMarshal.AsBytes(one.AsSpan()));
            yield return one[0];
        }
    }

    /// <summary>Reads the lines of a shard: first those that were placed one by one, then those of its range.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> Read(ShardLayout layout)
    {
        foreach (PlacedItem item in layout.Placed)
        {
            yield return ReadLine(item.Offset, item.Length);
        }

        long offset = layout.RangeOffset;
        long left = layout.RangeItems;
        foreach (SpooledItem item in left == 0 ? [] : ReadCosts(layout.RangeFirst))
        {
            if (item.Cost <= layout.RangeMaxCost)
            {
                yield return ReadLine(offset, item.Length);
                if (--left == 0)
                {
                    break;
                }
            }

            offset += item.Length;
        }
    }

    public void Dispose()
    {
        _lines.Dispose();
        _costs.Dispose();
    }

    private ReadOnlyMemory<byte> ReadLine(long offset, long length)
    {
        byte[] line = new byte[length];
        _lines.Position = offset;
        _lines.ReadExactly(line);
        return line;
    }
}
