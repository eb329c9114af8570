using System.Buffers;
using System.Text;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Signing;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Decodes valid and invalid aws-chunked framing in pieces of any size.</summary>
public sealed class AwsChunkedFuzzTests
{
    private static readonly string[] Bodies =
    [
        "a\r\n0123456789\r\n3\r\nabc\r\n0\r\nx-amz-checksum-crc64nvme:Ffmx7kz9nB0=\r\n\r\n",
        "3;chunk-signature=0\r\nabc\r\n0;chunk-signature=0\r\n\r\n",
        "0\r\n\r\n",
    ];

    private static readonly string[] Words = ["\r\n", "\n", "0\r\n", "\r\n\r\n", "7fffffffffffffff\r\n", "ffffffffffffffff\r\n", "8000000000000000\r\n", "x-amz-trailer-signature:", "a:b\r\n", ";"];

    [Fact]
    public Task Body_AnyChunks_IsDecodedHoweverItArrives() => Fuzzer.CheckAsync(
        random => (Chunks: Enumerable.Range(0, random.Next(5)).Select(_ => Mutation.NoiseBytes(random)).Where(chunk => chunk.Length > 0).ToArray(), Seed: random.Next()),
        body =>
        {
            using MemoryStream framed = new();
            foreach (byte[] chunk in body.Chunks)
            {
                framed.Write(Encoding.ASCII.GetBytes($"{chunk.Length:X}\r\n"));
                framed.Write(chunk);
                framed.Write("\r\n"u8);
            }

            framed.Write("0\r\na:b\r\n\r\n"u8);
            Outcome outcome = Decode(framed.ToArray(), body.Seed);

            Assert.Equal(body.Chunks.SelectMany(chunk => chunk), outcome.Payload);
            Assert.EachEqual((true, null), (outcome.IsComplete, outcome.Error));
            Assert.Equal([new("a", "b")], outcome.Trailers);
        });

    [Fact]
    public Task Body_AnyBytes_HasTheSameResultHoweverItArrives() => Fuzzer.CheckAsync(
        random => (Bytes: Mutation.Bytes(random, Bodies, Words), Seed: random.Next()),
        body =>
        {
            Outcome whole = Decode(body.Bytes, seed: null);
            Outcome pieces = Decode(body.Bytes, body.Seed);

            Assert.EachEqual((whole.IsComplete, whole.Error), (pieces.IsComplete, pieces.Error));
            Assert.Equal(whole.Payload, pieces.Payload);
            Assert.Equal(whole.Trailers, pieces.Trailers);
            Assert.InRange(whole.Payload.Length, 0, body.Bytes.Length);
        });

    /// <summary>Feeds the decoder like a pipe: it gets all bytes that have arrived and were not yet consumed.</summary>
    private static Outcome Decode(byte[] body, int? seed)
    {
        AwsChunkedDecoder decoder = new(chain: null, hasTrailer: true);
        ArrayBufferWriter<byte> payload = new();
        string? error = null;
        Random random = new(seed ?? 0);
        int start = 0;
        int end = 0;
        try
        {
            while (end < body.Length)
            {
                end = seed is null ? body.Length : end + random.Next(1, Math.Min(body.Length - end, 20) + 1);
                ReadOnlySequence<byte> input = new(body, start, end - start);
                while (decoder.TryRead(ref input, out ReadOnlySequence<byte> run))
                {
                    payload.Write(run.ToArray());
                }

                start = end - (int)input.Length;
            }
        }
        catch (S3Exception e)
        {
            error = e.Code;
        }

        return new Outcome(payload.WrittenSpan.ToArray(), decoder.IsComplete, error, decoder.Trailers);
    }

    private sealed record Outcome(byte[] Payload, bool IsComplete, string? Error, IReadOnlyList<KeyValuePair<string, string>> Trailers);
}
