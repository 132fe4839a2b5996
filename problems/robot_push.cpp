// SPDX-License-Identifier: Apache-2.0
#include "problems/robot_push.hpp"

#include "problems/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <box2d/box2d.h>

namespace summand::problems {
namespace {

constexpr int coasting_steps = 100;
constexpr float time_step = 1.0f / 100.0f;
constexpr int solver_iterations = 10;
constexpr float gain = 30.0f;  ///< of both controllers, times the hand's mass

struct Material {
    float density, friction, max_friction_force;
};
constexpr Material object_material = {0.05f, 0.01f, 5.0f};
constexpr Material hand_material = {0.1f, 0.1f, 2.0f};
constexpr float max_friction_torque = 2.0f;

/// What one hand is told.
struct Command {
    b2Vec2 position, velocity;
    float angle, angular_velocity;
    int steps;
};

/// Inputs 1-6 and 13 are hand 1's, 7-12 and 14 hand 2's (0-based here).
Command command_of(const Vector& p, Index hand) {
    const auto f = [&p](Index i) { return static_cast<float>(p[i]); };
    const Index i = 6 * hand;
    return {{f(i), f(i + 1)}, {f(i + 2), f(i + 3)}, f(i + 5), f(12 + hand), static_cast<int>(10.0 * p[i + 4])};
}

/// A moving body tied to the table by a friction joint; joined bodies do not collide, so the table carries everything.
b2Body* place(b2World& world, b2Body* table, const b2Shape& shape, const Material& material, b2Vec2 position,
              float angle) {
    b2BodyDef body_definition;
    body_definition.type = b2_dynamicBody;
    body_definition.position = position;
    body_definition.angle = angle;
    b2Body* body = world.CreateBody(&body_definition);

    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.density = material.density;
    fixture.friction = material.friction;
    body->CreateFixture(&fixture);

    b2FrictionJointDef joint;
    joint.bodyA = table;
    joint.bodyB = body;
    joint.maxForce = material.max_friction_force;
    joint.maxTorque = max_friction_torque;
    world.CreateJoint(&joint);
    return body;
}

b2PolygonShape box(float half_width, float half_height) {
    b2PolygonShape shape;
    shape.SetAsBox(half_width, half_height);
    return shape;
}

/// Proportional control of velocity: force 30 m (v_command - v), torque 30 m (ω_command - ω).
void drive(b2Body* hand, const Command& command) {
    hand->ApplyTorque(gain * hand->GetMass() * (command.angular_velocity - hand->GetAngularVelocity()), true);
    hand->ApplyForce(gain * hand->GetMass() * (command.velocity - hand->GetLinearVelocity()), hand->GetPosition(),
                     true);
}

/// Box2D fills a table of contact functions when the first contact is made, without a lock: make one before any thread
/// simulates.
void prepare_contacts() {
    static const bool prepared = [] {
        b2World world(b2Vec2(0.0f, 0.0f));
        b2BodyDef definition;
        definition.type = b2_dynamicBody;
        for (int i = 0; i < 2; ++i) {
            const b2PolygonShape shape = box(1.0f, 1.0f);
            world.CreateBody(&definition)->CreateFixture(&shape, 1.0f);
        }
        world.Step(time_step, 1, 1);
        return true;
    }();
    static_cast<void>(prepared);
}

Pose pose_of(const b2Body* body) {
    return {body->GetPosition().x, body->GetPosition().y, body->GetAngle()};
}

double distance(std::size_t object, double x, double y) {
    return std::hypot(push_goals[object][0] - x, push_goals[object][1] - y);
}

}  // namespace

PushOutcome push_objects(const Vector& p, bool keep_frames) {
    prepare_contacts();
    b2World world(b2Vec2(0.0f, 0.0f));
    const b2BodyDef table_definition;
    b2Body* table = world.CreateBody(&table_definition);
    const std::array<Command, 2> commands = {command_of(p, 0), command_of(p, 1)};

    b2CircleShape circle;
    circle.m_radius = 1.0f;
    std::array<b2Body*, 4> bodies = {};  // square, disc, hands; the order of creation is part of the definition
    bodies[0] = place(world, table, box(0.5f, 0.5f), object_material, {0.0f, 2.0f}, 0.0f);
    bodies[1] = place(world, table, circle, object_material, {0.0f, -2.0f}, 0.0f);
    for (std::size_t hand = 0; hand < 2; ++hand)
        bodies[2 + hand] =
            place(world, table, box(1.0f, 0.3f), hand_material, commands[hand].position, commands[hand].angle);

    PushOutcome outcome;
    const auto record = [&] {
        if (!keep_frames) return;
        auto& frame = outcome.frames.emplace_back();
        std::ranges::transform(bodies, frame.begin(), pose_of);
    };
    record();
    const int steps = std::max(commands[0].steps, commands[1].steps) + coasting_steps;
    for (int t = 0; t < steps; ++t) {
        for (std::size_t hand = 0; hand < 2; ++hand)
            if (t < commands[hand].steps) drive(bodies[2 + hand], commands[hand]);
        world.Step(time_step, solver_iterations, solver_iterations);
        world.ClearForces();
        record();
    }
    for (std::size_t object = 0; object < 2; ++object) {
        const Pose end = outcome.objects[object] = pose_of(bodies[object]);
        outcome.reward +=
            distance(object, push_starts[object][0], push_starts[object][1]) - distance(object, end.x, end.y);
    }
    return outcome;
}

Problem make_robot_push(const std::string& name, const Options& options) {
    std::vector<Range> ranges;
    for (const std::string hand : {"hand1_", "hand2_"}) {
        ranges.push_back({hand + "x", -5.0, 5.0});
        ranges.push_back({hand + "y", -5.0, 5.0});
        ranges.push_back({hand + "vx", -10.0, 10.0});
        ranges.push_back({hand + "vy", -10.0, 10.0});
        ranges.push_back({hand + "duration", 2.0, 30.0});
        ranges.push_back({hand + "angle", 0.0, 2.0 * std::numbers::pi});
    }
    for (const std::string hand : {"hand1_", "hand2_"}) ranges.push_back({hand + "spin", -5.0, 5.0});
    const auto function = [stddev = options.noise_stddev](const Vector& values, Rng& noise) {
        Vector p = values;
        if (stddev > 0.0)
            for (const Index velocity : {2, 3, 8, 9}) p[velocity] += stddev * noise.normal();
        return push_objects(p).reward;
    };
    double ideal = 0.0;
    for (std::size_t object : {0u, 1u}) ideal += distance(object, push_starts[object][0], push_starts[object][1]);
    return Problem(name, make_space(ranges, options), options, function, [ideal] {
        return Best{ideal, Best::Kind::bound, {}};
    });
}

}  // namespace summand::problems
