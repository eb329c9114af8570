using Transfer.S3.Integrity;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Verify;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Verification;

public sealed class ContentVerifierTests
{
    private const int MiB = RangeChecksum.CutBytes;
    private static readonly ObjectAddress Address = new(FakeS3.Bucket, FakeS3.Key, null, ReadAccess.Plain);

    /// <summary>Returns the algorithms, each with the lengths of the stored parts. No lengths mean a checksum of the full object.</summary>
    public static TheoryData<ChecksumAlgorithm, int[]> Kinds()
    {
        TheoryData<ChecksumAlgorithm, int[]> data = [];
        foreach (ChecksumAlgorithm algorithm in new[] { ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32, ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Sha1, ChecksumAlgorithm.Md5 })
        {
            data.Add(algorithm, []);
            data.Add(algorithm, [MiB, MiB, 17]);
            data.Add(algorithm, [MiB, MiB + 17]);
            data.Add(algorithm, [2 * MiB, 17]);
            data.Add(algorithm, [MiB - 1, MiB + 1, 17]);
            data.Add(algorithm, [700_000, 700_000, (2 * MiB) + 17 - 1_400_000]);
            data.Add(algorithm, [(2 * MiB) + 17]);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Ranges_InAnyOrderAndChecksumAtAnyTime_MatchTheStoredChecksum(ChecksumAlgorithm algorithm, int[] parts)
    {
        byte[] content = Sample.Bytes((2 * MiB) + 17);
        StoredChecksum stored = parts.Length == 0 ? Sums.Full(algorithm, content) : Sums.Composite(algorithm, content, parts);
        PartLayout? layout = parts.Length == 0 ? null : new PartLayout([.. parts.Select(part => (long)part)], IsGuess: false);
        for (int seed = 0; seed < 4; seed++)
        {
            Random random = new(seed);
            using ContentVerifier verifier = new(Address, enabled: true);
            (int Offset, int Length)[] ranges = [.. Cut(content.Length, random)];
            random.Shuffle(ranges);
            int settleAt = random.Next(ranges.Length + 1);

            // Feed two ranges alternately in steps, so that the checksum becomes known in the middle of both.
            for (int i = 0; i <= ranges.Length; i += 2)
            {
                (RangeChecksum Checksum, int End)[] open = [.. ranges.Skip(i).Take(2).Select(range => (verifier.Begin(range.Offset), range.Offset + range.Length))];
                for (bool goesOn = true; goesOn;)
                {
                    goesOn = false;
                    foreach ((RangeChecksum range, int end) in open)
                    {
                        int from = (int)(range.Offset + range.Length);
                        int step = Math.Min(end - from, random.Next(200_000));
                        range.Append(content.AsSpan(from, step));
                        goesOn |= from + step < end;
                    }

                    if (i >= settleAt)
                    {
                        verifier.Expect(stored, layout);
                    }
                }

                foreach ((RangeChecksum range, _) in open)
                {
                    range.Complete();
                }
            }

            verifier.Expect(stored, layout);
            Assert.Equal(content.Length, verifier.Front);
            verifier.Append(content); // as the owner of the bytes does, whether they are needed or not

            ChecksumVerdict verdict = verifier.Finish(content.Length);

            Assert.EachEqual((true, algorithm, stored.Value, parts.Length > 0), (verdict.IsVerified, verdict.Algorithm, verdict.Value, verdict.IsComposite));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void OneBitDiffers_IsAMismatch(ChecksumAlgorithm algorithm, int[] parts)
    {
        byte[] content = Sample.Bytes((2 * MiB) + 17);
        StoredChecksum stored = parts.Length == 0 ? Sums.Full(algorithm, content) : Sums.Composite(algorithm, content, parts);
        foreach (int at in new[] { 0, MiB - 1, MiB, content.Length - 1 })
        {
            content[at] ^= 0x10;
            using ContentVerifier verifier = new(Address, enabled: true);
            verifier.Expect(stored, parts.Length == 0 ? null : new PartLayout([.. parts.Select(part => (long)part)], IsGuess: false));
            RangeChecksum range = verifier.Begin(0);
            range.Append(content);
            range.Complete();
            verifier.Append(content);

            ChecksumMismatchException error = Assert.Throws<ChecksumMismatchException>(() => verifier.Finish(content.Length));

            content[at] ^= 0x10;
            Assert.EachEqual((algorithm, stored.Value), (error.Algorithm, error.Expected));
            Assert.NotEqual(stored.Value, error.Actual);
        }
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Crc32C, MiB, false)]
    [InlineData(ChecksumAlgorithm.Crc32C, 8 * MiB, false)]
    [InlineData(ChecksumAlgorithm.Crc32C, (8 * MiB) - 1, true)]
    [InlineData(ChecksumAlgorithm.Crc32C, 10_000_000, true)]
    [InlineData(ChecksumAlgorithm.Sha256, MiB, true)]
    public void Strategy_CrcOfParts_NeedsNoOrderIfPartsEndAtWholeMiB(ChecksumAlgorithm algorithm, int part, bool isInOrder)
        => Assert.Equal(isInOrder, VerificationStrategy.To(algorithm, [part, part, 1]).IsInOrder);

    [Fact]
    public void Settled_ComputesOnlyTheExpectedAlgorithmWithoutCuts()
    {
        using ContentVerifier verifier = new(Address, enabled: true);
        RangeChecksum range = verifier.Begin(0);
        range.Append(new byte[MiB + 1]);
        verifier.Expect(Sums.Full(ChecksumAlgorithm.Crc32, []));
        range.Append(new byte[4 * MiB]);

        Assert.Single(range.Cut);
        Assert.EachEqual((CrcSet.Kinds.Crc32, (long)(4 * MiB) + 1), (range.Rest.Computed, range.Rest.Length));
    }

    [Fact]
    public void Disabled_ComputesNothing()
    {
        using ContentVerifier verifier = new(Address, enabled: false);
        RangeChecksum range = verifier.Begin(0);
        range.Append(new byte[10]);
        range.Complete();
        verifier.Expect(Sums.Full(ChecksumAlgorithm.Crc32, []));

        ChecksumVerdict verdict = verifier.Finish(10);

        Assert.EachEqual((CrcSet.Kinds.None, false, "verification was turned off"), (range.Rest.Computed, verdict.IsVerified, verdict.Reason));
    }

    [Fact]
    public void Finish_RangeIsMissing_IsUnverified()
    {
        using ContentVerifier verifier = new(Address, enabled: true);
        verifier.Expect(Sums.Full(ChecksumAlgorithm.Crc64Nvme, new byte[20]));
        RangeChecksum range = verifier.Begin(10);
        range.Append(new byte[10]);
        range.Complete();

        ChecksumVerdict verdict = verifier.Finish(20);

        Assert.EachEqual((false, ChecksumAlgorithm.Crc64Nvme), (verdict.IsVerified, verdict.Algorithm));
        Assert.Equal(0, verifier.Front);
    }

    [Fact]
    public async Task Wait_EndsWhenTheChecksumIsKnownOrTheFrontMoves()
    {
        using ContentVerifier verifier = new(Address, enabled: true);
        ValueTask settled = verifier.WaitAsync(CancellationToken.None);
        Assert.False(settled.IsCompleted);
        verifier.Expect(Sums.Full(ChecksumAlgorithm.Md5, new byte[20]));
        await settled.AsTask().Within();

        ValueTask moved = verifier.WaitAsync(CancellationToken.None);
        RangeChecksum second = verifier.Begin(10);
        second.Append(new byte[10]);
        second.Complete();
        Assert.False(moved.IsCompleted);
        RangeChecksum first = verifier.Begin(0);
        first.Append(new byte[10]);
        first.Complete();
        await moved.AsTask().Within();

        Assert.Equal(20, verifier.Front);
    }

    private static IEnumerable<(int Offset, int Length)> Cut(int length, Random random)
    {
        for (int offset = 0; offset < length;)
        {
            int step = Math.Min(length - offset, random.Next(1, 900_000));
            yield return (offset, step);
            offset += step;
        }
    }
}
