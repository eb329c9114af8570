using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;

namespace Transfer.S3.Stores;

/// <summary>Remembers what a probe has shown about a store, for later clients of this user. A missing or damaged file costs requests only.</summary>
internal static partial class StoreMemory
{
    /// <summary>The time for which the result of a probe is believed: stores are upgraded, and permissions change.</summary>
    public static readonly TimeSpan Lifetime = TimeSpan.FromDays(7);

    private const int MaxBytes = 256 * 1024;
    private const int HashCharacters = 16;

    /// <summary>Teaches a profile what was remembered for its store.</summary>
    /// <param name="directory">The directory for the state of a user's programs; null for none.</param>
    /// <param name="store">The identity of the store.</param>
    /// <param name="profile">The profile.</param>
    /// <param name="time">The time.</param>
    public static void Recall(string? directory, string store, StoreProfile profile, TimeProvider time)
    {
        if (Read(directory, store) is not { } document || document.Store != store)
        {
            return;
        }

        foreach (RememberedFact fact in document.Facts.OfType<RememberedFact>()) // the file can contain anything
        {
            TimeSpan left = fact.Until - time.GetUtcNow();
            if (left > TimeSpan.Zero && left <= Lifetime) // the clock may have been set back
            {
                profile.Teach(new StoreFact(fact.Trait, fact.Scope, fact.Support, fact.Reason, left));
            }
        }
    }

    /// <summary>Replaces what is remembered for a store. What is forgotten within minutes isn't worth a file.</summary>
    /// <param name="directory">The directory for the state of a user's programs; null for none.</param>
    /// <param name="store">The identity of the store.</param>
    /// <param name="facts">What is known.</param>
    /// <param name="time">The time.</param>
    /// <returns>The path of the file; null if it could not be written.</returns>
    public static string? Save(string? directory, string store, IReadOnlyList<StoreFact> facts, TimeProvider time)
    {
        if (directory is null)
        {
            return null;
        }

        try
        {
            using LocalFolder folder = LocalFolder.Open(directory);
            string name = GetName(store);
            using SafeFileHandle? file = PrivateFile.TryOpen(folder, name, create: true, locked: true);
            if (file is null)
            {
                return null;
            }

            byte[] json = JsonSerializer.SerializeToUtf8Bytes(new Document(store, [.. Remembered(facts, time.GetUtcNow())]), StoreMemoryJson.Default.Document);
            FileContent.SetLength(file, 0);
            FileContent.Write(file, json, 0);
            return Path.Combine(directory, name);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static IEnumerable<RememberedFact> Remembered(IReadOnlyList<StoreFact> facts, DateTimeOffset now)
        => facts.Where(static fact => fact.Left > StoreProfile.MemoryTime).Select(fact => new RememberedFact(fact.Trait, fact.Scope, fact.Support, fact.Reason, now + fact.Left));

    private static Document? Read(string? directory, string store)
    {
        string name = GetName(store);
        if (directory is null || !File.Exists(Path.Combine(directory, name)))
        {
            return null;
        }

        try
        {
            using LocalFolder folder = LocalFolder.Open(directory);
            using SafeFileHandle? file = PrivateFile.TryOpen(folder, name, create: false, locked: false);
            if (file is null || RandomAccess.GetLength(file) is not (> 0 and <= MaxBytes and var length))
            {
                return null;
            }

            byte[] json = new byte[length];
            int count = RandomAccess.Read(file, json, 0);
            return JsonSerializer.Deserialize(json.AsSpan(0, count), StoreMemoryJson.Default.Document);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException)
        {
            return null;
        }
    }

    private static string GetName(string store) => $"{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(store)))[..HashCharacters]}.store";

    /// <summary>The content of the file.</summary>
    /// <param name="Store">The identity of the store.</param>
    /// <param name="Facts">What is known about it.</param>
    internal sealed record Document(string Store, RememberedFact[] Facts);

    /// <summary>A <see cref="StoreFact"/> with the time at which it is forgotten.</summary>
    internal sealed record RememberedFact(StoreTrait Trait, string Scope, StoreSupport Support, string Reason, DateTimeOffset Until);

    [JsonSourceGenerationOptions(
        PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, UseStringEnumConverter = true, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
    [JsonSerializable(typeof(Document))]
    internal sealed partial class StoreMemoryJson : JsonSerializerContext;
}
