using System.Globalization;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Storage;

/// <content>Versions. A bucket whose versioning was never turned on has none, so each of its objects is its own version, "null".</content>
internal sealed partial class Bucket
{
    /// <summary>The keys that have versions. It also contains keys whose latest version is a delete marker.</summary>
    private readonly SortedKeys _versionedKeys = new();

    /// <summary>The versions of each key, newest first; null if versioning was never turned on.</summary>
    private Dictionary<string, List<KeyVersion>>? _versions;
    private bool _keepsVersions;
    private long _sequence;

    /// <summary>Gets whether new versions are kept: null if versioning was never turned on, and false if it is suspended.</summary>
    public bool? KeepsVersions
    {
        get
        {
            lock (_lock)
            {
                return _versions is null ? null : _keepsVersions;
            }
        }
    }

    /// <summary>Turns versioning on, or suspends it. Objects that already exist become versions with the ID "null".</summary>
    public void SetVersioning(bool isEnabled)
    {
        lock (_lock)
        {
            ThrowIfDeleted();
            _keepsVersions = isEnabled;
            if (_versions is not null)
            {
                return;
            }

            _versions = new Dictionary<string, List<KeyVersion>>(StringComparer.Ordinal);
            for (int i = 0; i < _keys.Count; i++)
            {
                StoredObject value = _objects[_keys[i]] with { VersionId = KeyVersion.NullId };
                _objects[value.Key] = value;
                Add(new KeyVersion(value.Key, ++_sequence, KeyVersion.NullId, value.LastModified, value));
            }
        }
    }

    /// <summary>Gets a version of an object.</summary>
    /// <param name="key">The key.</param>
    /// <param name="versionId">The ID; null for the current object.</param>
    public StoredObject Get(string key, string? versionId)
    {
        if (versionId is null)
        {
            return Get(key);
        }

        lock (_lock)
        {
            KeyVersion version = GetVersions(key).Find(version => version.Id == versionId) ?? throw S3Errors.NoSuchVersion(key, versionId);
            return version.Value ?? throw S3Errors.IsDeleteMarker(version);
        }
    }

    /// <summary>Finds a version of an object; null if there is none, and for a delete marker.</summary>
    public StoredObject? FindVersion(string key, string? versionId)
    {
        if (versionId is null)
        {
            return Find(key);
        }

        lock (_lock)
        {
            return GetVersions(key).Find(version => version.Id == versionId)?.Value;
        }
    }

    /// <summary>Gets a page of versions. The caller asks for a page behind a version, a key, or a group of keys.</summary>
    /// <param name="prefix">The prefix of the keys to include.</param>
    /// <param name="delimiter">The delimiter that groups keys; empty for no grouping.</param>
    /// <param name="after">The key after which the page begins; null for the first page.</param>
    /// <param name="afterId">The version of that key after which the page begins; null to begin after all of them.</param>
    /// <param name="afterGroup">The group of keys after which the page begins; null if the page before didn't end with one.</param>
    /// <param name="maximum">The maximum number of entries.</param>
    public VersionPage ListVersions(string prefix, string delimiter, string? after, string? afterId, string? afterGroup, int maximum)
    {
        lock (_lock)
        {
            SortedKeys keys = _versions is null ? _keys : _versionedKeys;
            int index = Math.Max(keys.IndexOfFirstFrom(prefix), after is null ? 0 : afterId is null ? keys.IndexOfFirstAfter(after) : keys.IndexOfFirstFrom(after));
            index = afterGroup is null ? index : keys.IndexAfterPrefix(afterGroup, Math.Max(index, keys.IndexOfFirstFrom(afterGroup)));
            var versions = new List<(KeyVersion, bool)>();
            var groups = new List<string>();
            var page = new VersionPage(versions, groups, IsTruncated: false);
            while (maximum > 0 && index < keys.Count && keys[index].StartsWith(prefix, StringComparison.Ordinal))
            {
                string key = keys[index];
                int cut = delimiter.Length == 0 ? -1 : key.IndexOf(delimiter, prefix.Length, StringComparison.Ordinal);
                List<KeyVersion> all = cut < 0 ? GetVersions(key) : [];
                long before = key == after && afterId is not null ? GetSequence(all, afterId) : long.MaxValue;
                foreach (KeyVersion version in all.Where(version => version.Sequence < before))
                {
                    if (versions.Count + groups.Count == maximum)
                    {
                        return page with { IsTruncated = true };
                    }

                    versions.Add((version, version == all[0]));
                    page = page with { NextKey = key, NextId = version.Id };
                }

                if (cut < 0)
                {
                    index++;
                    continue;
                }

                if (versions.Count + groups.Count == maximum)
                {
                    return page with { IsTruncated = true };
                }

                groups.Add(key[..(cut + delimiter.Length)]);
                page = page with { NextKey = groups[^1], NextId = null };
                index = keys.IndexAfterPrefix(groups[^1], index);
            }

            return page;
        }
    }

    /// <summary>Gets the place of a version that may have been deleted since it was listed.</summary>
    private static long GetSequence(List<KeyVersion> versions, string id)
        => id == KeyVersion.NullId ? versions.Find(version => version.Id == id)?.Sequence ?? long.MaxValue
            : long.TryParse(id, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out long sequence) ? sequence
            : throw S3Errors.InvalidArgument("Invalid version id specified", "version-id-marker", id);

    /// <summary>Finds the delete marker that hides an object; null if there is none.</summary>
    private KeyVersion? FindMarker(string key)
    {
        lock (_lock)
        {
            return _versions?.GetValueOrDefault(key) is [{ Value: null } marker, ..] ? marker : null;
        }
    }

    private List<KeyVersion> GetVersions(string key)
        => _versions is not null ? _versions.GetValueOrDefault(key) ?? []
            : _objects.TryGetValue(key, out StoredObject? value) ? [new KeyVersion(key, 0, KeyVersion.NullId, value.LastModified, value)]
            : [];

    /// <summary>Gets the object that a new version of a key replaces: the current one without versions, and the version "null" while versioning is suspended.</summary>
    private StoredObject? FindReplaced(string key)
        => _versions is null ? _objects.GetValueOrDefault(key)
            : _keepsVersions ? null
            : GetVersions(key).Find(static version => version.Id == KeyVersion.NullId)?.Value;

    private KeyVersion NewVersion(string key, DateTimeOffset now)
    {
        long sequence = ++_sequence;
        return new KeyVersion(key, sequence, _keepsVersions ? KeyVersion.GetId(sequence) : KeyVersion.NullId, now, Value: null);
    }

    /// <summary>Adds the newest version of a key. There is only one version "null".</summary>
    private void Add(KeyVersion version)
    {
        if (!_versions!.TryGetValue(version.Key, out List<KeyVersion>? versions))
        {
            _versions.Add(version.Key, versions = []);
            _versionedKeys.Add(version.Key);
        }

        versions.RemoveAll(other => other.Id == version.Id);
        versions.Insert(0, version);
    }

    /// <summary>Replaces the attributes of a version.</summary>
    private bool TryReplaceVersion(StoredObject current, StoredObject changed)
    {
        List<KeyVersion>? versions = _versions?.GetValueOrDefault(current.Key);
        int index = versions?.FindIndex(version => ReferenceEquals(version.Value, current)) ?? -1;
        if (index < 0)
        {
            return false;
        }

        versions![index] = versions[index] with { Value = changed };
        return true;
    }

    /// <summary>Hides the current object behind a delete marker, which replaces the version "null" while versioning is suspended.</summary>
    /// <returns>The object that doesn't exist anymore; null if all versions are kept.</returns>
    private StoredObject? Hide(KeyDeletion item, DateTimeOffset now)
    {
        StoredObject? replaced = FindReplaced(item.Key);
        ThrowIfLocked(replaced, now, item.BypassesGovernance);
        KeyVersion marker = NewVersion(item.Key, now);
        Add(marker);
        _objects.TryRemove(item.Key, out _);
        (item.DeletedId, item.IsDeleteMarker) = (marker.Id, true);
        return replaced;
    }

    /// <summary>Deletes one version for good. The newest of the others becomes the current one.</summary>
    /// <returns>The object of the version; null for a delete marker, and if there is no such version.</returns>
    private StoredObject? DeleteVersion(KeyDeletion item, DateTimeOffset now)
    {
        item.DeletedId = item.VersionId;
        if (_versions!.GetValueOrDefault(item.Key) is not { } versions || versions.Find(version => version.Id == item.VersionId) is not { } version)
        {
            return null;
        }

        if (item.IfMatch is not null)
        {
            new WriteCondition(item.IfMatch, IfNoneMatchAny: false).Check(item.Key, version.Value);
        }

        ThrowIfLocked(version.Value, now, item.BypassesGovernance);
        item.IsDeleteMarker = version.Value is null;
        versions.Remove(version);
        if (versions.Count == 0)
        {
            _versions!.Remove(item.Key);
            _versionedKeys.Remove(item.Key);
        }

        if (versions is [{ Value: { } current }, ..])
        {
            _objects[item.Key] = current;
            _keys.Add(item.Key);
        }
        else
        {
            _objects.TryRemove(item.Key, out _);
        }

        return version.Value;
    }
}
