//! Teams that are subgroups: LANES is the subgroup size.
//!
//! requires: subgroups

struct Member {
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) team: u32,
}

var<workgroup> sh_teams: array<vec4<f32>, TEAMS>;

fn lane_of(member: Member) -> u32 {
    return member.lane;
}

fn team_of(member: Member) -> u32 {
    return member.team;
}

/// The sum over a team, for each of its lanes.
fn team_sum(value: vec4<f32>, member: Member) -> vec4<f32> {
    return subgroupAdd(value);
}

/// The sum of team sums, for every invocation of the workgroup.
fn across_teams(sum: vec4<f32>, member: Member) -> vec4<f32> {
    workgroupBarrier();
    if member.lane == 0u {
        sh_teams[member.team] = sum;
    }
    workgroupBarrier();
    var total = sh_teams[0];
    for (var i = 1u; i < TEAMS; i++) {
        total += sh_teams[i];
    }
    return total;
}

/// The sum over the workgroup, for every invocation.
fn workgroup_total(value: f32, member: Member) -> f32 {
    return across_teams(vec4(subgroupAdd(value)), member).x;
}

/// The sum of one number and the largest of two others, none below zero, over the workgroup, for every invocation.
fn workgroup_sum_and_largest(value: f32, others: vec2<f32>, member: Member) -> vec3<f32> {
    let sum = subgroupAdd(value);
    let largest = subgroupMax(others);
    workgroupBarrier();
    if member.lane == 0u {
        sh_teams[member.team] = vec4(sum, largest, 0.0);
    }
    workgroupBarrier();
    var total = vec3<f32>();
    for (var i = 0u; i < TEAMS; i++) {
        let team = sh_teams[i].xyz;
        total = vec3(total.x + team.x, max(total.yz, team.yz));
    }
    return total;
}
