using System.Buffers;
using System.Globalization;
using System.Text;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Signing;

/// <summary>Decodes an aws-chunked body that arrives in pieces of any size, and verifies its chunk signatures if there are any.</summary>
/// <param name="chain">The signatures; null if the chunks are unsigned.</param>
/// <param name="hasTrailer">Whether trailers follow the last chunk.</param>
internal sealed class AwsChunkedDecoder(ChunkSignatureChain? chain, bool hasTrailer)
{
    private const int MaximumLineBytes = 4096;
    private const int MaximumTrailers = 16;
    private const string ChunkExtension = "chunk-signature=";
    private const string TrailerSignature = "x-amz-trailer-signature";
    private readonly List<KeyValuePair<string, string>> _trailers = [];
    private State _state = State.Size;
    private long _remaining;
    private string _signature = string.Empty;
    private bool _trailerSigned;

    private enum State
    {
        Size,
        Data,
        DataEnd,
        Trailer,
        Done,
    }

    public bool IsComplete => _state == State.Done;

    /// <summary>Gets the lower-case name and the value of each trailer, except the signature.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Trailers => _trailers;

    /// <summary>Reads the next payload bytes from the input.</summary>
    /// <returns>False if more input is needed or the end was reached. The rest of <paramref name="input"/> must be passed in again.</returns>
    public bool TryRead(ref ReadOnlySequence<byte> input, out ReadOnlySequence<byte> payload)
    {
        payload = default;
        while (true)
        {
            switch (_state)
            {
                case State.Size:
                    if (!TryReadLine(ref input, out string size))
                    {
                        return false;
                    }

                    BeginChunk(size);
                    break;
                case State.Data:
                    if (input.IsEmpty)
                    {
                        return false;
                    }

                    payload = input.Slice(0, Math.Min(_remaining, input.Length));
                    input = input.Slice(payload.End);
                    TakeData(payload);
                    return true;
                case State.DataEnd:
                    if (!TryReadLine(ref input, out string end))
                    {
                        return false;
                    }

                    _state = end.Length == 0 ? State.Size : throw Malformed();
                    break;
                case State.Trailer:
                    if (!TryReadLine(ref input, out string trailer))
                    {
                        return false;
                    }

                    TakeTrailer(trailer);
                    break;
                default:
                    return input.IsEmpty ? false : throw Malformed();
            }
        }
    }

    private void BeginChunk(string line)
    {
        int semicolon = line.IndexOf(';');
        ReadOnlySpan<char> size = semicolon < 0 ? line : line.AsSpan(0, semicolon);
        if (!long.TryParse(size, NumberStyles.AllowHexSpecifier, provider: null, out _remaining) || _remaining < 0)
        {
            throw Malformed();
        }

        if (chain is not null)
        {
            ReadOnlySpan<char> extension = semicolon < 0 ? [] : line.AsSpan(semicolon + 1).Trim();
            _signature = extension.StartsWith(ChunkExtension) ? extension[ChunkExtension.Length..].ToString() : throw Malformed();
        }

        if (_remaining > 0)
        {
            _state = State.Data;
            return;
        }

        chain?.EndChunk(_signature);
        _state = State.Trailer;
    }

    private void TakeData(ReadOnlySequence<byte> payload)
    {
        if (chain is not null)
        {
            foreach (ReadOnlyMemory<byte> segment in payload)
            {
                chain.Append(segment.Span);
            }
        }

        _remaining -= payload.Length;
        if (_remaining == 0)
        {
            chain?.EndChunk(_signature);
            _state = State.DataEnd;
        }
    }

    private void TakeTrailer(string line)
    {
        if (line.Length == 0)
        {
            // Signed trailers end with their signature. Some clients insert an empty line before it.
            bool signatureMissing = chain is not null && _trailers.Count > 0 && !_trailerSigned;
            _state = signatureMissing ? State.Trailer : State.Done;
            return;
        }

        int colon = line.IndexOf(':');
        if (!hasTrailer || _trailerSigned || colon <= 0 || _trailers.Count == MaximumTrailers)
        {
            throw Malformed();
        }

        string name = line[..colon].Trim().ToLowerInvariant();
        string value = line[(colon + 1)..].Trim();
        if (name == TrailerSignature)
        {
            chain?.EndTrailer(value, string.Concat(_trailers.Select(static trailer => $"{trailer.Key}:{trailer.Value}\n")));
            _trailerSigned = true;
        }
        else
        {
            _trailers.Add(new(name, value));
        }
    }

    private static bool TryReadLine(ref ReadOnlySequence<byte> input, out string line)
    {
        line = string.Empty;
        SequencePosition? newline = input.PositionOf((byte)'\n');
        if (newline is null)
        {
            return input.Length > MaximumLineBytes ? throw Malformed() : false;
        }

        ReadOnlySequence<byte> bytes = input.Slice(0, newline.Value);
        if (bytes.Length > MaximumLineBytes)
        {
            throw Malformed();
        }

        line = Encoding.UTF8.GetString(bytes).TrimEnd('\r');
        input = input.Slice(input.GetPosition(1, newline.Value));
        return true;
    }

    private static S3Exception Malformed() =>
        new(400, "InvalidChunkSizeError", "The aws-chunked body is malformed: the size, the end, or the trailer of a chunk is invalid.");
}
