using Transfer.S3.Server.Storage;

namespace Transfer.S3.Tests.Server;

/// <summary>The keys of a bucket.</summary>
public sealed class SortedKeysTests
{
    [Fact]
    public void Remove_ManyKeys_LeavesTheOthersInOrder()
    {
        for (int seed = 0; seed < 500; seed++)
        {
#pragma warning disable CA5394 // a seeded test
            Random random = new(seed);
            string[] keys = [.. Enumerable.Range(0, random.Next(0, 40)).Select(i => $"{i:00}")];
            string[] removed = [.. keys.Where(_ => random.Next(3) == 0).OrderBy(_ => random.Next())];
#pragma warning restore CA5394
            SortedKeys sorted = new();
            Array.ForEach(keys, sorted.Add);

            sorted.Remove(removed.Append("missing"));

            Assert.Equal(keys.Except(removed), Enumerable.Range(0, sorted.Count).Select(i => sorted[i]));
        }
    }
}
