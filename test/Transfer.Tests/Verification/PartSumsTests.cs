using Transfer.S3.Tests.Integrity;
using Transfer.S3.Verification;

namespace Transfer.S3.Tests.Verification;

public sealed class PartSumsTests
{
    private const int Page = 256 * 1024; // four of them are a cell
    private const int MiB = 1024 * 1024;

    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, LongTests.Choose(full: 500, quick: 40))];

    /// <summary>Pages arrive in any order and more than once. Each part is compared exactly when its last page was added, and not again.</summary>
    [Theory]
    [MemberData(nameof(Seeds))]
    public void Compare_AnyOrder_ComparesEachPartWithItsLastPage(int seed)
    {
        Random random = new(seed);
        List<int> lengths = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => random.Next(1, 4) * MiB)];
        lengths[^1] -= random.Next(0, MiB); // the last part ends with the object
        byte[] content = Sample.Bytes(lengths.Sum(), seed);
        int damaged = random.Next(-1, lengths.Count);
        int unknown = random.Next(-1, lengths.Count);
        List<(long Length, StoredChecksum? Checksum)> parts = [];
        List<int> missing = [];
        int offset = 0;
        for (int i = 0; i < lengths.Count; i++)
        {
            string crc = CrcOf.Crc64Nvme(i == damaged ? [1] : content.AsSpan(offset, lengths[i]));
            parts.Add((lengths[i], i == unknown ? null : new StoredChecksum { Algorithm = ChecksumAlgorithm.Crc64Nvme, Value = crc, IsComposite = false }));
            missing.Add((lengths[i] + Page - 1) / Page);
            offset += lengths[i];
        }

        ContentSums sums = new(content.Length, Page);
        PartSums compared = new(parts);
        long verified = 0;
        bool[] isAdded = new bool[(content.Length + Page - 1) / Page];
        int[] order = [.. Enumerable.Range(0, isAdded.Length).Concat(Enumerable.Range(0, 3).Select(_ => random.Next(isAdded.Length)))];
        random.Shuffle(order);
        foreach (int page in order)
        {
            long from = (long)page * Page;
            long end = Math.Min(from + Page, content.Length);
            int part = 0;
            for (long after = lengths[0]; after <= from; after += lengths[part])
            {
                part++;
            }

            Assert.True(sums.TryAdd(page, content.AsSpan((int)from, (int)(end - from)), out bool isCellComplete));
            missing[part] -= isAdded[page] ? 0 : 1;
            bool completes = !isAdded[page] && missing[part] == 0;
            isAdded[page] = true;
            Assert.True(isCellComplete || !completes);

            (int Number, StoredChecksum Expected, string Actual)? mismatch = compared.Compare(sums, from, end);

            if (missing[part] == 0 && part == damaged && part != unknown)
            {
                Assert.Equal(part + 1, mismatch!.Value.Number);
                Assert.NotEqual(mismatch.Value.Expected.Value, mismatch.Value.Actual);
            }
            else
            {
                Assert.Null(mismatch);
                verified += completes && part != unknown ? lengths[part] : 0;
            }

            Assert.Equal(verified, compared.VerifiedBytes);
        }

        Assert.True(sums.IsComplete);
    }

    /// <summary>The checksums of the parts can become known after the content has arrived.</summary>
    [Fact]
    public void Compare_EverythingHasArrived_ComparesThePartsWhoseEndsAreKnown()
    {
        byte[] content = Sample.Bytes(4 * MiB);
        ContentSums sums = new(content.Length, Page);
        for (int page = 0; page * Page < content.Length; page++)
        {
            Assert.True(sums.TryAdd(page, content.AsSpan(page * Page, Page), out _));
        }

        int[] ends = [MiB, MiB + 5, 2 * MiB, 4 * MiB]; // the ends of the second part and of the third one aren't both ends of cells
        PartSums parts = new([.. ends.Select((end, i) => ((long)(end - (i == 0 ? 0 : ends[i - 1])), (StoredChecksum?)OfPart(i == 0 ? 0 : ends[i - 1], end)))]);

        Assert.Null(parts.Compare(sums, 0, content.Length));
        Assert.Equal(3 * MiB, parts.VerifiedBytes);

        StoredChecksum OfPart(int from, int end)
            => new() { Algorithm = ChecksumAlgorithm.Crc64Nvme, Value = CrcOf.Crc64Nvme(content.AsSpan(from, end - from)), IsComposite = false };
    }
}
